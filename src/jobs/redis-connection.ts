import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { settledWithin } from '../async/settled-within.ts';
import type { RedisNodes, RedisStore } from '../config/redis-config.ts';
import type { Config } from '../config.ts';
import type { Outage } from '../observability/outage.ts';

/** Timeout for reading the hash slots of a cluster. It is long, because a busy node may be slow. */
const SLOTS_TIMEOUT_MS = 5_000;
/**
 * A connection on which Redis does not answer for this time is destroyed, and connected again. It is
 * longer than the ten seconds that a blocking command of BullMQ waits.
 */
const ANSWER_TIMEOUT_MS = 20_000;
const STOPPING_TIMEOUT_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
const LIMITS = { keepAlive: KEEP_ALIVE_MS, socketTimeout: ANSWER_TIMEOUT_MS } as const;
/**
 * Interval of asking a connection that only receives. Without a question nobody would notice that
 * it is lost.
 */
const QUESTION_INTERVAL_MS = 10_000;
/** Maximum redirections of a command. A lost node is replaced in seconds; commands fail earlier. */
const MAX_REDIRECTIONS = 5;

/** Options in which our connections differ. */
export type ConnectionOptions = Pick<
  RedisOptions,
  'lazyConnect' | 'enableOfflineQueue' | 'connectTimeout' | 'commandTimeout' | 'maxRetriesPerRequest'
> & {
  /** Whether to connect only once; otherwise it retries until it is connected. */
  readonly once?: boolean;
};

/** Connects to a Redis server, sentinels or a cluster. */
export function connectRedis(store: RedisStore, options: ConnectionOptions): Redis | Cluster {
  return store.kind === 'cluster' ? connectCluster(store, options) : connectServer(store, options);
}

function connectServer(
  store: Exclude<RedisStore, { kind: 'cluster' }>,
  { once = false, ...options }: ConnectionOptions,
): Redis {
  const retries = once ? { retryStrategy: () => null, sentinelRetryStrategy: () => null } : {};
  if (store.kind === 'server') return new Redis(store.url, { ...LIMITS, ...options, ...retries });
  const { sentinels, name, login, tls } = store;
  return new Redis({
    ...LIMITS,
    ...options,
    ...retries,
    ...loginOf(store),
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
    name,
    ...(login.username !== undefined && { sentinelUsername: login.username }),
    ...(login.password !== undefined && { sentinelPassword: login.password }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
  });
}

function connectCluster(
  store: Extract<RedisNodes, { kind: 'cluster' }>,
  { once = false, lazyConnect = false, enableOfflineQueue = true, ...options }: ConnectionOptions,
): Cluster {
  const cluster = new Cluster([...store.nodes], {
    lazyConnect,
    enableOfflineQueue,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    maxRedirections: MAX_REDIRECTIONS,
    // Each node is connected by the name that it reports, because certificates contain names.
    dnsLookup: (address, callback) => callback(null, address),
    ...(once && { clusterRetryStrategy: () => null }),
    redisOptions: { ...LIMITS, ...options, ...loginOf(store) },
  });
  // The commands of a caller that does not wait for Redis must fail while the cluster is
  // unreachable. Otherwise they would be queued without limit.
  if (options.maxRetriesPerRequest !== null) {
    cluster.once('ready', () => {
      cluster.options.enableOfflineQueue = false;
    });
  }
  return cluster;
}

/**
 * Creates a connection that receives published messages and reports when it breaks. The cluster
 * client is not used, because it changes nodes silently. A cluster forwards messages to every node,
 * so this connects to one of the configured nodes, and to the next one when that node is lost.
 */
export function connectReceiver(store: RedisStore): Redis {
  const receiver = openReceiver(store);
  const questions = setInterval(() => {
    // Questions to a broken connection would be queued.
    if (receiver.status === 'ready') receiver.ping().catch(() => undefined);
  }, QUESTION_INTERVAL_MS).unref();
  receiver.once('end', () => clearInterval(questions));
  return receiver;
}

function openReceiver(store: RedisStore): Redis {
  if (store.kind !== 'cluster') return connectServer(store, { maxRetriesPerRequest: null });
  const { nodes } = store;
  let attempts = 0;
  const receiver = new Redis({
    ...LIMITS,
    ...nodes[0],
    ...loginOf(store),
    maxRetriesPerRequest: null,
    retryStrategy: (times) => {
      attempts += 1;
      Object.assign(receiver.options, nodes[attempts % nodes.length]);
      return Math.min(times * RETRY_STEP_MS, MAX_RETRY_MS);
    },
  });
  return receiver;
}

const RETRY_STEP_MS = 50;
const MAX_RETRY_MS = 2_000;

function loginOf({ username, password, tls }: RedisNodes) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
  };
}

/** Connections that `endConnection` ends. Their end is not an outage. */
const ending = new WeakSet<Redis | Cluster>();

/** Reports the beginning and the end of an outage once; ioredis reports every attempt. */
export function watchConnection(redis: Redis | Cluster, outage: Outage): void {
  redis.on('error', (error: Error) => outage.begin(lastNodeErrorOf(error)));
  onBroken(redis, () => outage.begin('the connection was closed'));
  redis.on('ready', () => outage.end());
}

/** Calls the listener when the connection breaks, but not when `endConnection` ends it. */
export function onBroken(redis: Redis | Cluster, listener: () => void): void {
  redis.on('close', () => {
    if (!ending.has(redis)) listener();
  });
}

/**
 * The error of a node, if a cluster client has one: its own error only says that no node could be
 * used.
 */
export function lastNodeErrorOf(error: Error & { readonly lastNodeError?: Error }): Error {
  return error.lastNodeError ?? error;
}

/**
 * Ends a connection with QUIT. Ends a broken one at once, and one that does not answer after two
 * seconds, because QUIT would wait for Redis.
 */
export async function endConnection(redis: Redis | Cluster): Promise<void> {
  const isReady = redis.status === 'ready';
  ending.add(redis);
  if (isReady && (await settledWithin([redis.quit()], STOPPING_TIMEOUT_MS))) return;
  redis.disconnect();
}

/** Ends a connection that does not answer within two seconds, because the process stops. */
export async function endIfSilent(redis: Redis | Cluster): Promise<void> {
  if (redis.status !== 'ready') return;
  if (!(await settledWithin([redis.ping()], STOPPING_TIMEOUT_MS))) redis.disconnect();
}

/** The prefix of all our keys and channels, for a Redis that is shared with others. */
export function prefixOf({ redisPrefix }: Pick<Config, 'redisPrefix'>): string {
  return redisPrefix === undefined ? '' : `${redisPrefix}:`;
}
