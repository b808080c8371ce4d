import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../observability/log.ts';
import { RedisUnusable } from './assert-redis-reachable.ts';

const REQUIRED_POLICY = 'noeviction';

/**
 * Checks the maxmemory-policy of every Redis server with jobs. A server that evicts keys when its
 * memory is full silently loses jobs. If a server does not report its policy, a warning is logged.
 *
 * @throws RedisUnusable if a server evicts keys
 */
export async function assertKeepsJobs(redis: Redis | Cluster, log: Logger): Promise<void> {
  const servers = redis instanceof Cluster ? await findMasters(redis) : [redis];
  for (const server of servers) {
    const policy = await readPolicy(server);
    const { host, port } = server.options;
    if (policy === undefined) {
      log.warn(
        { host, port },
        `Redis does not report its maxmemory-policy: make sure that it is ${REQUIRED_POLICY}`,
      );
    } else if (policy !== REQUIRED_POLICY) {
      throw new RedisUnusable(
        `Redis at ${host}:${port} would lose jobs when its memory is full: its maxmemory-policy is ` +
          `${policy} and must be ${REQUIRED_POLICY} (docs/operations.md, "Redis")`,
      );
    }
  }
}

async function findMasters(cluster: Cluster): Promise<Redis[]> {
  // The nodes are known after the first response.
  await cluster.ping();
  return cluster.nodes('master');
}

/** Reads INFO first, because providers often forbid CONFIG. */
async function readPolicy(server: Redis): Promise<string | undefined> {
  const info = await server.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined) return policy;
  const configured = await server.config('GET', 'maxmemory-policy').catch(() => undefined);
  return Array.isArray(configured) ? (configured[1] as string | undefined) : undefined;
}
