import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../src/postgres/free-port.ts';
import { findProgram } from './find-program.ts';
import { stopWithThisProcess } from './stop-with-this-process.ts';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  /** Saves the data, kills the server, and starts another one with the data on the same port. */
  killAndKeep(): Promise<TestRedis>;
}

/** Path of a Redis server on this machine, if there is one. */
export const findRedisServer = () => findProgram('redis-server');

/**
 * Starts a separate Redis server without persistence.
 *
 * @param port the port of an earlier server that this one replaces; default any free port
 */
export async function startRedis(binary: string, port?: number): Promise<TestRedis> {
  return startInFolder(binary, await mkdtemp(join(tmpdir(), 'dues-redis-')), port ?? (await freePort()));
}

async function startInFolder(binary: string, folder: string, port: number): Promise<TestRedis> {
  const server = spawn(
    binary,
    ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder],
    {
      stdio: 'ignore',
    },
  );
  stopWithThisProcess(server);
  const url = `redis://127.0.0.1:${port}`;
  const probe = new Redis(url);
  // Connections are refused until the server listens. ioredis retries for about ten seconds.
  probe.on('error', () => undefined);
  await probe.ping();
  await probe.quit();
  return {
    url,
    async stop() {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
    async killAndKeep() {
      const client = new Redis(url);
      await client.save();
      client.disconnect();
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      return startInFolder(binary, folder, port);
    },
  };
}

/** Starts a Redis server that `closing` stops. Returns undefined if none is installed. */
export async function startRedisIfFound(closing: AsyncDisposableStack): Promise<TestRedis | undefined> {
  const binary = findRedisServer();
  if (binary === undefined) return undefined;
  const redis = await startRedis(binary);
  closing.defer(() => redis.stop());
  return redis;
}
