import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Path of a Redis server on this machine, if there is one. */
export function findRedisServer(): string | undefined {
  try {
    return execFileSync('which', ['redis-server'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** A Redis of one's own, that keeps nothing; on the port of an earlier one, where that comes back. */
export async function startRedis(binary: string, port?: number): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-redis-'));
  port ??= await freePort();
  const server = spawn(
    binary,
    ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder],
    {
      stdio: 'ignore',
    },
  );
  const url = `redis://127.0.0.1:${port}`;
  const probe = new Redis(url);
  // Refused until the server listens; ioredis tries again, for some ten seconds.
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
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
