import { createRedisBackend, isNotConnectionError, Queue, Worker } from 'bullmq';
import type { RedisStore } from '../config/redis-config.ts';
import type { Logger } from '../observability/log.ts';
import { Outage } from '../observability/outage.ts';
import { assertKeepsJobs } from './assert-keeps-jobs.ts';
import { pauseAfterErrors } from './pause-after-errors.ts';
import { connectRedis, endConnection, endIfSilent, onBroken, watchConnection } from './redis-connection.ts';
import { stopWhenConnected } from './stop-when-connected.ts';
import type { QueueName, Transport, TransportUse } from './transport.ts';

const STALLED_CHECK_MS = 5_000;

/** Connects to queues in Redis. */
export async function connectRedisTransport(
  store: RedisStore,
  prefix: string,
  use: TransportUse,
  log: Logger,
): Promise<Transport> {
  // Adding a job must fail soon, because a caller waits. A worker waits until Redis is reachable.
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
      new Worker(
        name,
        process,
        { ...optionsOf(name), ...settings },
        stopWhenConnected(pauseAfterErrors(createRedisBackend)),
      ),
    stalledCheckMs: STALLED_CHECK_MS,
    // On Redis each command of BullMQ is one atomic script.
    runExclusively: (work) => work(),
    stopping: () => void endIfSilent(connection),
    isAway: () => outage.isOn,
    whenAway: () => new Promise((resolve) => onBroken(connection, resolve)),
    // Further connections of BullMQ may notice an outage earlier or later.
    isReported: (error) => outage.isOn || !isNotConnectionError(error) || 'syscall' in error,
    abandon: () => connection.disconnect(),
    close: () => endConnection(connection),
  };
}

/**
 * The prefix of a queue's keys. In a cluster all keys of a queue must be in one hash slot, which
 * the part in braces determines. Each queue has its own slot, so that the queues are spread over
 * the nodes. If the prefix already has braces, all queues are in that slot.
 */
function queuePrefix({ kind }: RedisStore, prefix: string, name: QueueName): string {
  if (kind !== 'cluster' || /\{[^}]+\}/.test(prefix)) return `${prefix}bull`;
  return `${prefix}{bull-${name}}`;
}
