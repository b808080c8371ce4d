import { z } from 'zod';

/**
 * The settings of one kind of job. `everyMs` makes it a timer by the wall clock, one for all
 * workers.
 */
interface JobDefinition {
  readonly payload: z.ZodType;
  /**
   * Version of the payload; 1 by default. It is raised when the release before cannot run such a
   * job. The schema also reads the version before.
   */
  readonly version?: number;
  /** Maximum runs if the handler throws. */
  readonly attempts: number;
  /** Delay before the second run. It doubles with each further run. */
  readonly backoffMs: number;
  /** Maximum running jobs per process. */
  readonly concurrency: number;
  /** Maximum running jobs of all processes; no limit by default. */
  readonly concurrencyOfAll?: number;
  readonly everyMs?: number;
  /**
   * Set if another process must soon take over after a crash: when the lock has expired, at the next
   * check. A busy process may lose the lock too, so this is only for work that two processes may do
   * at the same time.
   */
  readonly takeOver?: { readonly lockMs: number; readonly checkMs: number };
}

// A failed tick is not retried: the next tick follows.
const timer = (everyMs: number) => ({
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 0,
  concurrency: 1,
  everyMs,
});

/** A job that is added when there is work. A failed one is planned again within 15 seconds. */
const asked = () => ({ payload: z.strictObject({}), attempts: 1, backoffMs: 0, concurrency: 1 });

const payments = {
  // The time is part of the job's id, because the release before refuses unknown keys.
  payload: z.strictObject({
    environment: z.enum(['TEST', 'LIVE']),
    /** Shares above 0 are for workers that run no other job of this environment. */
    share: z.int().min(0),
    /** The trace in which it was planned. */
    traceparent: z.string().nullish(),
  }),
  attempts: 3,
  backoffMs: 1000,
  // One job per environment collects. Others only make it look again.
  concurrency: 3,
};

/**
 * All jobs. A job only says when to work, never what is owed: columns and `ctx.clock` decide that,
 * so a lost, late, early or repeated job changes nothing.
 */
export const catalog = {
  /** Adds the jobs for work that is due soon, and for all work without a job. */
  'payments.plan': timer(15_000),
  /** Collects due payments of an environment, together with the workers of other shares. */
  'payments.collect': payments,
  /** The same for payments that failed before, at the time of their retry. */
  'payments.retry': payments,
  /** Settles transactions in flight. One process does it for all. */
  'transactions.follow': {
    ...asked(),
    concurrencyOfAll: 1,
    // Other transactions wait at most 4.6 seconds if its worker is killed.
    takeOver: { lockMs: 3_000, checkMs: 800 },
  },
  /**
   * Marks final payments, makes stuck subscriptions due, and settles waiting transfers and sponsored
   * transactions.
   */
  'payments.tidy': asked(),
  /** Finds the transfers of refunds on chain. Added when a refund is about to be sent. */
  'refunds.check': asked(),
  /** Creates the deliveries of new events. Added when an event was recorded. */
  'events.relay': asked(),
  /** Delivers what is due at an endpoint. There is one job per endpoint at a time. */
  'webhooks.deliver': {
    payload: z.strictObject({ endpointId: z.uuid() }),
    attempts: 3,
    backoffMs: 1000,
    // Four times the number of delivery attempts in flight: visits without a place soon end.
    concurrency: 2_048,
    // The other webhooks of an endpoint wait at most 8 seconds if its worker is killed.
    takeOver: { lockMs: 5_000, checkMs: 1_500 },
  },
  /** Removes deliveries and other rows that are older than their retention. */
  'webhooks.purge': timer(600_000),
  /** Closes expired checkout sessions. */
  'sessions.expire': asked(),
  /** Adds recorded changes to the daily metrics of plans. */
  'metrics.fold': asked(),
  /** Sends the mails that are due. Added when one was written. */
  'mails.send': asked(),
  /** Writes the mails that a time causes: reminders of renewals, ends of trials, failing endpoints. */
  'mails.plan': timer(60_000),
  /** Checks how long the collectors' SOL will last, and warns early. */
  'collectors.watch': timer(600_000),
} as const satisfies Record<string, JobDefinition>;

/** Queues of earlier releases, whose timers and jobs are removed. */
export const retiredQueues = ['payments.sweep'] as const;
export type RetiredQueue = (typeof retiredQueues)[number];

export function isRetired(name: JobName | RetiredQueue): name is RetiredQueue {
  return retiredQueues.some((retired) => retired === name);
}

export type JobName = keyof typeof catalog;
export type JobPayload<N extends JobName> = z.infer<(typeof catalog)[N]['payload']>;

export const jobNames = Object.keys(catalog) as JobName[];

/** The settings of a job, for code that works with any job. */
export function jobDefinition(name: JobName): JobDefinition {
  return catalog[name];
}
