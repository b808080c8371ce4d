import type { ClaimsInHand } from '../src/domain/payment/claims-in-hand.ts';
import { collectDue } from '../src/domain/payment/collect-due.ts';
import type { JobHandler } from '../src/jobs/worker.ts';
import { inSpan } from '../src/tracing/trace.ts';

/** Whoever has more to do than this leaves it to the next sweep's call: a shutdown must not have to wait for it. */
const MOST_MS = 5_000;

/** `payments.collect`: collects until nothing is due that nobody has in hand, or the worker is stopped. */
export function collectPaymentsJob(inHand: ClaimsInHand): JobHandler<'payments.collect'> {
  return (ctx, { environment, traceparent }) =>
    inSpan(
      'payments.collect',
      { follows: traceparent, attributes: { 'dues.environment': environment } },
      () => collectDue(ctx, environment, performance.now() + MOST_MS, inHand),
    );
}
