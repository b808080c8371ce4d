import type { AppContext } from '../../app.ts';
import { type Claim, release } from './claim-due.ts';

/** The claims of one worker, so that it can give them back when it has to end: else they would have to run out. */
export class ClaimsInHand {
  readonly #claims = new Set<Claim>();
  #isStopped = false;

  /** No more is to be claimed. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Answers with what to call when it is settled or released. */
  take(claim: Claim): () => void {
    this.#claims.add(claim);
    return () => {
      this.#claims.delete(claim);
    };
  }

  /**
   * Releases what is still in hand, to be collected by another worker at once. Whoever is still busy with it here finds its
   * claim gone, and sends nothing.
   */
  async giveBack(ctx: AppContext): Promise<void> {
    const nextAttemptAt = ctx.clock.now();
    for (const { subscriptionIds, until } of this.#claims) {
      ctx.log.warn({ subscriptions: subscriptionIds.length }, 'claim given back unfinished');
      await release(
        ctx,
        until,
        subscriptionIds.map((subscriptionId) => ({ subscriptionId, nextAttemptAt })),
      );
    }
    this.#claims.clear();
  }
}
