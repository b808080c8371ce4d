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
  /** Looks whether anything is due, and calls so many workers to collect it. */
  'payments.sweep': timer(1000),
  /** Collects what is due of an environment, together with whoever has another share of it. */
  'payments.collect': {
    payload: z.strictObject({
      environment: z.enum(['TEST', 'LIVE']),
      share: z.int().min(0),
      /** The trace of the sweep that called; jobs of an older release have none. */
      traceparent: z.string().nullish(),
    }),
    attempts: 3,
    backoffMs: 1000,
    // Of each environment one, and room for calls that find theirs busy.
    concurrency: 3,
  },
  /** Asks the chain what became of transactions that may still land. */
  'transactions.follow': timer(1000),
  /** Marks what is final, frees what is stuck, books what was left over. */
  'payments.tidy': timer(5_000),
  /** Makes deliveries of new events; also nudged when one was recorded. */
  'events.relay': timer(1000),
  /** Removes deliveries that are older than they are kept. */
  'webhooks.purge': timer(600_000),
  /** Closes checkout sessions that ran out. */
  'sessions.expire': timer(10_000),
  /** Folds what was counted of plans into their days. */
  'metrics.fold': timer(10_000),
  /** Looks how long the collectors' SOL will last, and warns in time. */
  'collectors.watch': timer(600_000),
} as const satisfies Record<string, JobDefinition>;

export type JobName = keyof typeof catalog;
export type JobPayload<N extends JobName> = z.infer<(typeof catalog)[N]['payload']>;

export const jobNames = Object.keys(catalog) as JobName[];

/** Its row of the catalog, for code that does not care which one it is. */
export function jobDefinition(name: JobName): JobDefinition {
  return catalog[name];
}
