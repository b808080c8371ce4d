import type { AppContext } from '../../../app.ts';
import { type Claim, release } from './claim-due.ts';

/**
 * The claims of one worker. A worker that stops releases its claims, so that other workers need not
 * wait until the claims expire.
 */
export class OpenClaims {
  readonly #claims = new Set<Claim>();
  #isStopped = false;

  /** Whether the worker must not claim any more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Adds a claim. Returns a function to call when the work under the claim has ended. */
  take(claim: Claim): () => void {
    this.#claims.add(claim);
    return () => {
      this.#claims.delete(claim);
    };
  }

  /**
   * Releases all open claims, so that another worker can collect at once. Work that still runs here
   * no longer holds its claim and sends nothing.
   */
  async releaseAll(ctx: AppContext): Promise<void> {
    const nextAttemptAt = ctx.clock.now();
    for (const claim of this.#claims) {
      const subscriptions = claim.subscriptionIds.length;
      ctx.log.warn({ subscriptions }, 'claim released before it was finished');
      for (const part of [claim, ...claim.parts]) {
        await release(
          ctx,
          part,
          part.subscriptionIds.map((subscriptionId) => ({ subscriptionId, nextAttemptAt })),
        );
      }
    }
    this.#claims.clear();
  }
}
