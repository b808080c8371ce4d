import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { expect, vi } from 'vitest';
import { freePort } from '../../src/postgres/free-port.ts';
import { SOON } from '../support/soon.ts';

const run = promisify(execFile);
export const PASSWORD = 'correct-horse-battery';

export interface RedisProcess {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a Redis server in a temporary folder, with these lines of configuration. */
export async function startServer(
  binary: string,
  lines: readonly string[],
  { isSentinel = false, password = PASSWORD, port }: ServerOptions = {},
): Promise<RedisProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-redis-'));
  port ??= await freePort();
  const file = join(folder, 'redis.conf');
  const common = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`];
  await writeFile(file, [...common, ...lines, ''].join('\n'));
  const server = spawn(binary, [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const probe = new Redis({ port, host: '127.0.0.1', password });
  probe.on('error', () => undefined);
  await probe.ping();
  probe.disconnect();
  return {
    port,
    async stop() {
      server.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface ServerOptions {
  readonly isSentinel?: boolean;
  readonly password?: string;
  readonly port?: number;
}

const NO_PERSISTENCE = ['save ""', 'appendonly no'];
const LOGIN = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];

/** Starts a cluster of three nodes with a password, which share the slots. */
export async function startCluster(binary: string, closing: AsyncDisposableStack): Promise<RedisProcess[]> {
  const nodes = [];
  for (let count = 0; count < 3; count++) {
    const [port, busPort] = [await freePort(), await freePort()];
    const cluster = ['cluster-enabled yes', `cluster-port ${busPort}`, 'cluster-node-timeout 2000'];
    const node = await startServer(binary, [...NO_PERSISTENCE, ...LOGIN, ...cluster], { port });
    closing.defer(() => node.stop());
    nodes.push(node);
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const login = ['-a', PASSWORD, '--no-auth-warning'];
  await run('redis-cli', [...login, '--cluster', 'create', ...addresses, '--cluster-yes']);
  // Each node must learn that all slots are served.
  for (const { port } of nodes) {
    const node = new Redis({ port, password: PASSWORD });
    await vi.waitFor(
      async () => expect(await node.call('CLUSTER', 'INFO')).toContain('cluster_state:ok'),
      SOON,
    );
    await node.quit();
  }
  return nodes;
}

/**
 * Starts a server, its replica, and a sentinel that promotes the replica one second after the
 * server has stopped.
 */
export async function startSentinel(binary: string, closing: AsyncDisposableStack) {
  const first = await startServer(binary, [...NO_PERSISTENCE, ...LOGIN]);
  const stopFirst = async () => first.stop();
  let isStopped = false;
  closing.defer(async () => {
    if (!isStopped) await stopFirst();
  });
  const second = await startServer(binary, [
    ...NO_PERSISTENCE,
    ...LOGIN,
    `replicaof 127.0.0.1 ${first.port}`,
    'repl-diskless-sync-delay 0',
  ]);
  closing.defer(() => second.stop());
  const sentinel = await startServer(
    binary,
    [
      'requirepass sentinels-own',
      `sentinel monitor dues 127.0.0.1 ${first.port} 1`,
      `sentinel auth-pass dues ${PASSWORD}`,
      'sentinel down-after-milliseconds dues 1000',
      'sentinel failover-timeout dues 5000',
    ],
    { isSentinel: true, password: 'sentinels-own' },
  );
  closing.defer(() => sentinel.stop());
  return {
    port: sentinel.port,
    /** Stops the server permanently. */
    async loseFirst() {
      isStopped = true;
      await stopFirst();
    },
  };
}
