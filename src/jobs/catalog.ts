import { z } from 'zod';

/** The kinds of kept changes that are about waivers, as in the audit log. */
export const WAIVER_CHANGES = ['subscription.paused', 'subscription.unpaused', 'payment.waived'] as const;

/** A waiver as a kept change has it. Its reason, which people write, is not kept. */
const keptWaiver = z.strictObject({
  id: z.uuid(),
  kind: z.enum(['PAUSE', 'FREE', 'ONE']),
  fromIndex: z.int(),
  untilIndex: z.int().nullable(),
  keepsAccess: z.boolean(),
  actor: z.enum(['API_KEY', 'MEMBER', 'OPERATOR', 'CUSTOMER']),
  hasEnded: z.boolean(),
});

/**
 * The settings of one kind of job. A job with `everyMs` is a timer by the wall clock, shared by all
 * workers.
 */
interface JobDefinition {
  readonly payload: z.ZodType;
  /**
   * Version of the payload; 1 by default. Raise it when the previous release cannot run such a job.
   * The schema must also read the previous version.
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
   * Set if another process must take over soon after a crash: at the next check after the lock has
   * expired. A process that is only busy may lose the lock too, so this is only for work that two
   * processes may do at the same time.
   */
  readonly takeOver?: { readonly lockMs: number; readonly checkMs: number };
}

/** A job that runs at an interval. A failed run is not retried, because the next one follows. */
const timer = (everyMs: number) => ({
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 0,
  concurrency: 1,
  everyMs,
});

/** A job that is added when there is work. A failed one is added again within 15 seconds. */
const onDemand = () => ({ payload: z.strictObject({}), attempts: 1, backoffMs: 0, concurrency: 1 });

const payments = {
  // The time is in the job's id, not here, because the previous release refuses unknown keys.
  payload: z.strictObject({
    environment: z.enum(['TEST', 'LIVE']),
    /** Shares above 0 are for workers that run no other job of this environment. */
    share: z.int().min(0),
    /** The trace in which the job was added. */
    traceparent: z.string().nullish(),
  }),
  attempts: 3,
  backoffMs: 1000,
  // One job per environment collects. Another one only makes it search for due payments again.
  concurrency: 3,
};

/**
 * All jobs. A job only starts work. The columns of the database and `ctx.clock` decide what is due,
 * so a lost, late, early or repeated job changes nothing in the books.
 */
export const catalog = {
  /** Adds the jobs for work that is due soon, and for all work without a job. */
  'jobs.schedule': timer(15_000),
  /** Collects due payments of an environment. Jobs of other shares may run at the same time. */
  'payments.collect': payments,
  /** Collects due payments whose earlier attempt failed, at the time of the retry. */
  'payments.retry': payments,
  /** Settles transactions in flight. Only one process at a time runs it. */
  'transactions.follow': {
    ...onDemand(),
    concurrencyOfAll: 1,
    // If its worker is killed, transactions wait at most 4.6 seconds.
    takeOver: { lockMs: 3_000, checkMs: 800 },
  },
  /**
   * Marks final payments, makes stuck subscriptions due, and settles waiting transfers and
   * sponsored transactions.
   */
  'payments.tidy': onDemand(),
  /** Finds the transfers of refunds on chain. Added when a refund is about to be sent. */
  'refunds.check': onDemand(),
  /** Lets payments be collected again once the chain was read after the database came back. */
  'timelines.follow': onDemand(),
  /** Ends the record of a change, which waits as a delayed job for a day: `kept-changes.ts`. */
  'changes.forget': {
    payload: z.strictObject({
      kind: z.enum([
        ...(['subscription.cancelled', 'subscription.cancellation_undone', 'api_key.revoked'] as const),
        ...WAIVER_CHANGES,
      ]),
      merchantId: z.uuid(),
      environment: z.enum(['TEST', 'LIVE']),
      /** Our id of the subscription or the key. */
      id: z.uuid(),
      /** Of a cancellation. */
      when: z.enum(['NOW', 'PERIOD_END']).optional(),
      byCustomer: z.boolean().optional(),
      /** Of a change of waivers: those of the last day, and all that have not ended. */
      waivers: z.array(keptWaiver).optional(),
      /** A time before the change, by the clock of its audit entry. */
      at: z.iso.datetime(),
    }),
    attempts: 1,
    backoffMs: 0,
    concurrency: 1,
  },
  /** Creates the deliveries of new events. Added when an event was recorded. */
  'events.relay': onDemand(),
  /** Delivers due events to an endpoint. There is one job per visit of the endpoint at a time. */
  'webhooks.deliver': {
    payload: z.strictObject({ endpointId: z.uuid() }),
    attempts: 3,
    backoffMs: 1000,
    // Four times the maximum of delivery attempts in flight: a job that gets no attempt ends soon.
    concurrency: 2_048,
    // If its worker is killed, the other deliveries of the endpoint wait at most 8 seconds.
    takeOver: { lockMs: 5_000, checkMs: 1_500 },
  },
  /** Removes deliveries and other rows that are older than their retention. */
  'rows.purge': timer(600_000),
  /** Closes expired checkout sessions. */
  'sessions.expire': onDemand(),
  /** Adds recorded changes to the daily metrics of plans. */
  'metrics.fold': onDemand(),
  /** Records the states of customers that time or a new feature has changed. */
  'states.refresh': onDemand(),
  /** Sends due mails. Added when a mail was written. */
  'mails.send': onDemand(),
  /** Writes the mails that depend on the time: renewals, ends of trials, failing endpoints. */
  'mails.write': timer(60_000),
  /** Checks how long the collectors' SOL will last, and warns early. */
  'collectors.watch': timer(600_000),
} as const satisfies Record<string, JobDefinition>;

/** Queues of earlier releases. Their timers and jobs are removed. */
export const retiredQueues = ['payments.sweep', 'payments.plan', 'mails.plan', 'webhooks.purge'] as const;
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
