import type { ClaimsInHand } from '../src/domain/payment/claims-in-hand.ts';
import { collectDue } from '../src/domain/payment/collect-due.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';
import { inSpan } from '../src/tracing/trace.ts';

/** Whoever has more to do than this leaves it to the next sweep's call: a shutdown must not have to wait for it. */
const MOST_MS = 5_000;

/**
 * `payments.collect`: collects until nothing is due that nobody has in hand, or the worker is stopped. One at a time of an
 * environment, so that a cluster that leaves us waiting holds up its own payments only; the next sweep calls again.
 */
export function collectPaymentsJob(inHand: ClaimsInHand): JobHandler<'payments.collect'> {
  const collecting = new Set<Environment>();
  return async (ctx, { environment, traceparent }) => {
    if (collecting.has(environment)) return;
    collecting.add(environment);
    const attributes = { 'dues.environment': environment };
    try {
      await inSpan('payments.collect', { follows: traceparent, attributes }, () =>
        collectDue(ctx, environment, performance.now() + MOST_MS, inHand),
      );
    } finally {
      collecting.delete(environment);
    }
  };
}
