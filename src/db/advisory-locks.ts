/**
 * Every advisory lock of dues: what it protects, and its key in SQL. Keys never change, because
 * releases that run side by side must agree on them. PostgreSQL has one space of keys of one number,
 * and another one of pairs: a lock of many parts has the part as its second number.
 */
const KEYS = {
  /** The timers of the jobs: one process at a time writes them. */
  timers: `hashtext('dues: timers')`,
  /** The database's schema: one process at a time migrates it. */
  migration: `hashtext('dues: migrate')`,
  /** The time of the local network: it is moved once at a time. */
  testClock: `hashtext('dues: test clock')`,
  /** Held by every relay in shared mode. Releases without shards take it alone. */
  relay: `hashtext('dues: relay')`,
  /** The subscriptions at one address on chain; the key is the hash of the address. */
  address: 'hashtextextended(%, 0)',
  /** Positions of the events of a bucket of merchants; part: the bucket. */
  relayBucket: `hashtext('dues: relay slot'), %`,
  /** Lines of the deliveries of some endpoints; part: the hash of the endpoint's id. */
  deliveryLines: `hashtext('dues: webhook lines'), %`,
  /** The number of token accounts that are created in a day; part: the environment. */
  receivers: '7203117, %',
  /** The budget for sponsored customers; part: the environment. */
  sponsoring: '7203118, %',
  /** The indexer's leader; part: the environment. */
  indexer: '1685415283, %',
} as const;

export type AdvisoryLock = keyof typeof KEYS;

/** The function that takes a lock: until the transaction ends, or until the session ends. */
type Take = 'xact_lock' | 'xact_lock_shared';

/**
 * The call that takes a lock until the transaction ends, as SQL. No other file calls these
 * functions.
 *
 * @param part SQL of the part, for a lock that has parts: a column, a parameter or a number
 */
export function advisoryLock(lock: AdvisoryLock, part = '', take: Take = 'xact_lock'): string {
  return `pg_advisory_${take}(${KEYS[lock].replace('%', () => part)})`;
}

/** The call that tries to take a lock until the session ends, as SQL. */
export function tryAdvisoryLock(lock: AdvisoryLock, part = ''): string {
  return `pg_try_advisory_lock(${KEYS[lock].replace('%', () => part)})`;
}

/** The part of an environment, for locks that have one. */
export const ENVIRONMENT_PART = { TEST: '0', LIVE: '1' } as const;
