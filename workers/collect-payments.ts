import type { AppContext } from '../src/app.ts';
import { claimAndCollect, RunningBatches } from '../src/domain/billing/collect/collect-due.ts';
import type { OpenClaims } from '../src/domain/billing/collect/open-claims.ts';
import {
  dueTimeFromId,
  ENQUEUED_AHEAD_MS,
  enqueueShare,
  type PaymentQueue,
} from '../src/domain/billing/schedule/enqueue-payments.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { NotYet } from '../src/jobs/not-yet.ts';
import { inSpan } from '../src/observability/tracing/trace.ts';
import type { JobHandler } from './job-handler.ts';

/** Maximum time of a job. Remaining work gets another job, so that a shutdown need not wait. */
const MAX_MS = 5_000;
/** Delay of a share while this worker is already claiming, so that another worker can run it. */
const BUSY_MS = 500;
/** Delay of the next job while collection is paused, because of the cluster or our clock. */
const ERROR_DELAY_MS = 1_000;
/** Maximum delay of a job that is early by our clock. */
const EARLY_MS = 15_000;
/**
 * A job that is early by more than this was added before our clock went back. It ends, because
 * the scheduler adds a job for its time again.
 */
const TOO_EARLY_MS = ENQUEUED_AHEAD_MS + 60_000;

/**
 * Collects due payments, for the jobs of `payments.collect` and `payments.retry`. In this process
 * one job at a time claims for each environment, so that a slow cluster delays only its own
 * payments.
 */
export class PaymentCollector {
  readonly #claims: OpenClaims;
  readonly #batches: Readonly<Record<Environment, RunningBatches>> = {
    TEST: new RunningBatches(),
    LIVE: new RunningBatches(),
  };
  /** The environments for which a job is claiming, and whether it must claim again. */
  readonly #claiming = new Map<Environment, { isAsked: boolean }>();

  constructor(claims: OpenClaims) {
    this.#claims = claims;
  }

  /** The handler of one of the queues. */
  job(queue: PaymentQueue): JobHandler<PaymentQueue> {
    return async (ctx, { environment, share, traceparent }, job) => {
      const earlyMs = dueTimeFromId(job?.id) - ctx.clock.now().getTime();
      if (earlyMs > TOO_EARLY_MS) return;
      if (earlyMs > 0) throw new NotYet(Math.min(earlyMs, EARLY_MS));
      const other = this.#claiming.get(environment);
      if (other && share > 0) throw new NotYet(BUSY_MS);
      if (other) {
        other.isAsked = true;
        return;
      }
      const attributes = { 'dues.environment': environment };
      const remaining = await inSpan(queue, { follows: traceparent, attributes }, () =>
        this.#claim(ctx, environment),
      );
      // While collection is paused, only share 0 is enqueued again; the scheduler adds the others.
      if (remaining === 'nothing' || (remaining === 'all' && share > 0)) return;
      await enqueueShare(ctx, queue, {
        environment,
        share,
        afterMs: remaining === 'all' ? ERROR_DELAY_MS : 0,
      });
    };
  }

  async #claim(ctx: AppContext, environment: Environment) {
    const state = { isAsked: false };
    this.#claiming.set(environment, state);
    const isAskedAgain = () => {
      const { isAsked } = state;
      state.isAsked = false;
      return isAsked;
    };
    try {
      return await claimAndCollect(ctx, environment, this.#batches[environment], {
        untilMs: performance.now() + MAX_MS,
        isAskedAgain,
        claims: this.#claims,
      });
    } finally {
      this.#claiming.delete(environment);
    }
  }

  /** Resolves when no batch runs. */
  async idle(): Promise<void> {
    await Promise.all(Object.values(this.#batches).map((batches) => batches.idle()));
  }
}
