import { z } from 'zod';

/** How one kind of job is carried. `everyMs` makes it a timer: woken up by the wall clock, however many workers there are. */
interface JobDefinition {
  readonly payload: z.ZodType;
  /** Tries in all, where the handler throws. */
  readonly attempts: number;
  /** Wait before the second try; doubles from there. */
  readonly backoffMs: number;
  /** How many of them one process runs at a time. */
  readonly concurrency: number;
  readonly everyMs?: number;
}

// A tick that fails is not tried again: the next one comes anyway.
const timer = (everyMs: number) => ({
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 0,
  concurrency: 1,
  everyMs,
});

/**
 * Every job there is. Timers only wake somebody up: *what* is due is decided by columns and `ctx.clock`, so a lost, late
 * or doubled job changes nothing.
 */
export const catalog = {
  /** Hands the subscriptions that are due to charge jobs. */
  'payments.sweep': timer(1000),
  /** Collects what is due of these subscriptions. */
  'payments.charge': {
    payload: z.strictObject({
      environment: z.enum(['TEST', 'LIVE']),
      subscriptionIds: z.array(z.uuid()).min(1),
    }),
    attempts: 3,
    backoffMs: 1000,
    concurrency: 4,
  },
  /** Asks the chain what became of transactions that may still land. */
  'transactions.follow': timer(1000),
  /** Makes deliveries of new events; also nudged when one was recorded. */
  'events.relay': timer(1000),
  /** One HTTP try of a delivery. The next try is the delivery's own column, not this job's retry. */
  'webhooks.deliver': {
    payload: z.strictObject({ deliveryId: z.uuid() }),
    attempts: 3,
    backoffMs: 1000,
    concurrency: 20,
  },
  /** Hands deliveries whose time has come to deliver jobs. */
  'webhooks.sweep': timer(1000),
  /** Closes checkout sessions that ran out. */
  'sessions.expire': timer(10_000),
} as const satisfies Record<string, JobDefinition>;

export type JobName = keyof typeof catalog;
export type JobPayload<N extends JobName> = z.infer<(typeof catalog)[N]['payload']>;

export const jobNames = Object.keys(catalog) as JobName[];

/** Its row of the catalog, for code that does not care which one it is. */
export function jobDefinition(name: JobName): JobDefinition {
  return catalog[name];
}
