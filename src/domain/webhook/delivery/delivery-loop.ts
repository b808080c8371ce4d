import type { AppContext } from '../../../app.ts';
import { countTries } from '../../../metrics/counters.ts';
import { Connections } from '../post/connections.ts';
import { CUT_OFF } from '../post/post-webhook.ts';
import { type Claimed, claimDeliveries } from './claim-deliveries.ts';
import { ClockWatch } from './clock-watch.ts';
import { handBack } from './hand-back.ts';
import { sendDelivery } from './send-delivery.ts';
import { settleDeliveries, type Tried } from './settle-deliveries.ts';

/** Tries that one worker has under way at a time. */
const MOST_IN_HAND = 512;
/** Looks at least so often, by the machine's clock: that is how retries are found, and what no nudge told of. */
const POLL_MS = 1000;
/** While an endpoint with a rate of its own is being served: about as often as its rate is dealt out. */
const PACED_POLL_MS = 100;
const PACED_FOR_MS = 2000;
const CLOSE_WITHIN_MS = 7_000;

/**
 * Delivers webhooks in one worker process, until closed: claims what is due, posts it, writes down what came of it. Claims
 * and results go to the database in batches, which form by themselves: whatever comes while one is on its way makes the next.
 *
 * 1. Dying between claim and result leaves a begun attempt; the claim runs out and the delivery is sent again, under the
 *    same id. The receiver may see it twice, never not at all.
 * 2. The database being away: results are kept and written when it is back; they hold their place, so nothing piles up.
 * 3. Our clock being wrong: nothing is claimed, and results are kept as well. The dates that they would be given would hold
 *    their lines, and pause or switch off their endpoints, long after it is right again.
 */
export class DeliveryLoop {
  /** For whoever else writes down when deliveries are due. */
  readonly clock: ClockWatch;
  readonly #ctx: AppContext;
  readonly #connections = new Connections();
  readonly #inHand = new Map<string, Claimed>();
  readonly #tried: Tried[] = [];
  #claiming: Promise<void> | undefined;
  #isAskedAgain = false;
  #isSettling = false;
  #isClosed = false;
  #lastPaced = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #emptied: PromiseWithResolvers<void> | undefined;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
    this.clock = new ClockWatch(ctx);
    this.#poll();
  }

  /** Something may have become due. */
  wake(): void {
    if (this.#isClosed) return;
    if (this.#claiming) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isAskedAgain = false;
    this.#claiming = this.#claim()
      .catch((err) => this.#ctx.log.error({ err }, 'deliveries not claimed'))
      .finally(() => {
        this.#claiming = undefined;
        if (this.#isAskedAgain) this.wake();
      });
  }

  /** Takes nothing more; lets what is under way finish, breaks off what does not in time and hands it back. */
  async close(withinMs = CLOSE_WITHIN_MS): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#claiming;
    const late = setTimeout(() => this.#connections.close(), withinMs);
    this.#settle();
    if (this.#inHand.size > 0) {
      this.#emptied = Promise.withResolvers();
      await this.#emptied.promise;
    }
    clearTimeout(late);
    this.#connections.close();
  }

  #poll(): void {
    this.wake();
    this.#settle();
    const isPaced = performance.now() - this.#lastPaced < PACED_FOR_MS;
    this.#timer = setTimeout(() => this.#poll(), isPaced ? PACED_POLL_MS : POLL_MS);
  }

  async #claim(): Promise<void> {
    const free = MOST_IN_HAND - this.#inHand.size;
    if (free <= 0 || (await this.clock.isWrong())) return;
    const busy = new Map<string, number>();
    for (const { endpointId } of this.#inHand.values()) busy.set(endpointId, (busy.get(endpointId) ?? 0) + 1);
    const claimed = await claimDeliveries(this.#ctx, { free, busy, inHand: [...this.#inHand.keys()] });
    for (const each of claimed) {
      this.#inHand.set(each.id, each);
      void sendDelivery(this.#ctx, this.#connections, each).then((tried) => {
        this.#tried.push(tried);
        this.#settle();
      });
    }
    if (claimed.some(({ maxPerSecond }) => maxPerSecond !== null)) this.#lastPaced = performance.now();
  }

  #settle(): void {
    if (this.#isSettling || this.#tried.length === 0) return;
    this.#isSettling = true;
    void this.#writeDown(this.#tried.splice(0)).then((isWritten) => {
      this.#isSettling = false;
      if (!isWritten) return;
      this.#settle();
      // There is room again, and perhaps a next one.
      this.wake();
    });
  }

  async #writeDown(batch: Tried[]): Promise<boolean> {
    try {
      if (await this.clock.isWrong()) return this.#keep(batch);
      await this.#book(batch);
    } catch (err) {
      this.#ctx.log.error({ err, deliveries: batch.length }, 'deliveries not settled');
      return this.#keep(batch);
    }
    this.#letGo(batch);
    for (const { claimed } of batch) {
      const { id: deliveryId, endpointId, merchantId, environment } = claimed;
      void this.#ctx.live.publish('delivery.updated', { merchantId, environment, endpointId, deliveryId });
    }
    return true;
  }

  /** For the next time, where there is one. */
  #keep(batch: readonly Tried[]): false {
    // Closing: their claims run out, and another worker sends them again.
    if (this.#isClosed) this.#letGo([...batch, ...this.#tried.splice(0)]);
    else this.#tried.unshift(...batch);
    return false;
  }

  async #book(batch: readonly Tried[]): Promise<void> {
    const { cutOff = [], made = [] } = Object.groupBy(batch, ({ result }) =>
      result.error === CUT_OFF ? 'cutOff' : 'made',
    );
    if (cutOff.length > 0) await handBack(this.#ctx, cutOff);
    if (made.length === 0) return;
    await settleDeliveries(this.#ctx, made);
    countTries(
      made.map(({ claimed: { environment }, result }) => ({ environment, ok: result.error === null })),
    );
  }

  #letGo(batch: readonly Tried[]): void {
    for (const { claimed } of batch) this.#inHand.delete(claimed.id);
    if (this.#inHand.size === 0) this.#emptied?.resolve();
  }
}
