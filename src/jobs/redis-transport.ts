import { createRedisBackend, isNotConnectionError, Queue, Worker } from 'bullmq';
import type { RedisStore } from '../config/redis-config.ts';
import type { Logger } from '../observability/log.ts';
import { Outage } from '../observability/outage.ts';
import { assertKeepsJobs } from './assert-keeps-jobs.ts';
import { pausing } from './pausing.ts';
import { connectRedis, endConnection, onBroken, watchConnection } from './redis-connection.ts';
import type { QueueName, Transport, TransportUse } from './transport.ts';

const STALLED_CHECK_MS = 5_000;

/** Keeps queues in Redis. */
export async function connectRedisTransport(
  store: RedisStore,
  prefix: string,
  use: TransportUse,
  log: Logger,
): Promise<Transport> {
  // Adding a job must fail soon, because a caller waits. A worker waits until Redis is back.
  const connection = connectRedis(store, { maxRetriesPerRequest: use === 'add' ? 1 : null });
  const outage = new Outage(log, use === 'add' ? 'Redis for new jobs' : 'Redis for jobs');
  watchConnection(connection, outage);
  if (use === 'work') {
    await assertKeepsJobs(connection, log).catch(async (error) => {
      await endConnection(connection);
      throw error;
    });
  }
  const optionsOf = (name: QueueName) => ({ connection, prefix: queuePrefix(store, prefix, name) });
  return {
    queue: (name) => new Queue(name, optionsOf(name)),
    worker: (name, process, settings) =>
      new Worker(name, process, { ...optionsOf(name), ...settings }, pausing(createRedisBackend)),
    stalledCheckMs: STALLED_CHECK_MS,
    // On Redis each command of BullMQ is one atomic script.
    alone: (work) => work(),
    isAway: () => outage.isOn,
    goneAway: () => new Promise((resolve) => onBroken(connection, resolve)),
    // BullMQ has separate connections, which notice an outage at other times.
    isReported: (error) => outage.isOn || !isNotConnectionError(error) || 'syscall' in error,
    abandon: () => connection.disconnect(),
    close: () => endConnection(connection),
  };
}

/**
 * In a cluster all keys of a queue must be in one hash slot, which the part in braces decides. Each
 * queue has its own, so that they are spread over the nodes. If the prefix already has braces, all
 * queues are in that slot.
 */
function queuePrefix({ kind }: RedisStore, prefix: string, name: QueueName): string {
  if (kind !== 'cluster' || /\{[^}]+\}/.test(prefix)) return `${prefix}bull`;
  return `${prefix}{bull-${name}}`;
}
