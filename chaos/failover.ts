// A machine dies, and a standby takes over: what the run does, and what it then asks for.
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../tools/random.ts';
import { untilWorking } from './faults/silence.ts';
import type { Wrong } from './judge.ts';
import type { AcceptedWebhook } from './merchant-server.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

/** Milliseconds between two requests for a checkout. The limit is 100 per merchant and minute. */
const BETWEEN_CHECKOUTS_MS = 700;
/** Maximum time until somebody notices that the primary is gone. */
const MAX_NOTICED_AFTER_MS = 5_000;
/** The failover is at any time while payments fall due, are collected and are delivered. */
const MAX_AFTER_MS = 6_000;

/** When and how the primary is lost. */
export interface FailoverOrder {
  readonly round: number;
  readonly afterMs: number;
  /** Whether its machine falls silent and runs on, instead of being killed. */
  readonly isSilent: boolean;
  readonly noticedAfterMs: number;
}

/** Chooses from other numbers than the rest of the schedule, which stays as it is without a failover. */
export function scheduleFailover(seed: number, rounds: number): FailoverOrder {
  const random = new Random(seed);
  return {
    round: random.below(rounds),
    afterMs: random.below(MAX_AFTER_MS),
    isSilent: random.below(2) === 0,
    noticedAfterMs: random.below(MAX_NOTICED_AFTER_MS),
  };
}

/** What must be 0 after a failover to a synchronous standby. */
export interface FailoverFigures {
  /** Checkouts that were answered with 200, and events that were delivered, of which no row is left. */
  readonly acknowledged_lost: number;
  readonly charged_after_cancel: number;
  readonly charged_twice: number;
  /** Events, positions in a subscription's order, and charges that had two meanings at a merchant. */
  readonly ids_reused: number;
  /** Receipts whose number now belongs to another payment. */
  readonly receipt_numbers_twice: number;
  readonly audit_differences: number;
}

interface Receipt {
  readonly number: string;
  readonly signature: string | null;
}

/** The failover of a run. */
export class Failover {
  readonly order: FailoverOrder;
  readonly #world: ChaosWorld;
  readonly #merchants: readonly ChaosMerchant[];
  readonly #acknowledged: string[] = [];
  #receipts: readonly Receipt[] = [];

  constructor(world: ChaosWorld, merchants: readonly ChaosMerchant[], order: FailoverOrder) {
    this.#world = world;
    this.#merchants = merchants;
    this.order = order;
  }

  /** Loses the primary, promotes the standby, and waits until everything works again. */
  async happen(): Promise<void> {
    const { pair, tally, board } = this.#world;
    if (!pair) return;
    const over = new AbortController();
    const asking = this.#askForCheckouts(over.signal);
    try {
      await wait(this.order.afterMs);
      this.#receipts = await this.#readReceipts();
      const lostAt = performance.now();
      if (this.order.isSilent) pair.silencePrimary();
      else await pair.killPrimary();
      await wait(this.order.noticedAfterMs);
      await pair.promote();
      board.say(`  the primary ${this.order.isSilent ? 'is silent' : 'was killed'}, the standby is promoted`);
      await untilWorking(this.#world, lostAt);
      tally.add('failover');
    } finally {
      over.abort();
      await asking;
    }
  }

  /** @param wrong what the judges have found */
  async judge(wrong: readonly Wrong[]): Promise<FailoverFigures> {
    const { db, merchantServer } = this.#world;
    const count = (...kinds: string[]) => wrong.filter(({ what }) => kinds.includes(what)).length;
    const sessions = await db.checkoutSession.count({ where: { id: { in: [...this.#acknowledged] } } });
    const delivered = merchantServer.accepted.map(({ id }) => id);
    const [events] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM "Event" WHERE "id"::text = ANY(${delivered}::text[])`;
    const before = new Map(this.#receipts.map(({ number, signature }) => [number, signature]));
    const receipts = await this.#readReceipts();
    return {
      acknowledged_lost: this.#acknowledged.length - sessions + (delivered.length - (events?.count ?? 0)),
      charged_after_cancel: count('charge that is not due'),
      charged_twice: count('double charge'),
      ids_reused: merchantServer.changed + idsReused(merchantServer.accepted),
      receipt_numbers_twice: receipts.filter(
        ({ number, signature }) => before.has(number) && before.get(number) !== signature,
      ).length,
      audit_differences: count('dues audit', 'dues audit --books'),
    };
  }

  /** Opens checkouts as a backend does: a request without an answer of 200 is repeated with its key. */
  async #askForCheckouts(over: AbortSignal): Promise<void> {
    for (let number = 0; !over.aborted; number += 1) {
      const merchant = this.#merchants[number % this.#merchants.length];
      const body = JSON.stringify({
        planId: 'daily',
        customerEmail: `failover-${number}@example.com`,
        idempotency_key: `failover-${number}`,
      });
      for (let isDone = false; !isDone && !over.aborted; ) {
        const answer = await fetch(`${this.#world.apiUrl}/checkout/create`, {
          method: 'POST',
          headers: { authorization: `Bearer ${merchant?.apiKey}`, 'content-type': 'application/json' },
          body,
        }).catch(() => undefined);
        isDone = answer?.status === 200;
        const { sessionId } = ((await answer?.json().catch(() => ({}))) ?? {}) as { sessionId?: string };
        if (isDone && sessionId) this.#acknowledged.push(sessionId);
        await wait(BETWEEN_CHECKOUTS_MS);
      }
    }
  }

  #readReceipts(): Promise<Receipt[]> {
    return this.#world.db.$queryRaw<Receipt[]>`
      SELECT "merchantId" || ' ' || "receiptNumber" AS "number", "signature" FROM "Payment"
      WHERE "receiptNumber" IS NOT NULL`;
  }
}

/** Counts positions in the order of a subscription, charges and refunds that arrived with two ids. */
export function idsReused(accepted: readonly AcceptedWebhook[]): number {
  // A transaction charges several subscriptions.
  const facts = accepted.flatMap(({ id, event, sequence, data }) => {
    const { subscriptionId, startedAt, signature, refundId } = data;
    return [
      ...(event.startsWith('subscription.')
        ? [{ fact: `${subscriptionId} ${startedAt} ${sequence}`, id }]
        : []),
      ...(event === 'subscription.payment_succeeded'
        ? [{ fact: `charge ${subscriptionId} ${signature}`, id }]
        : []),
      ...(event === 'payment.refunded' ? [{ fact: `refund ${refundId}`, id }] : []),
    ];
  });
  const ids = Map.groupBy(facts, ({ fact }) => fact);
  return [...ids.values()].filter((uses) => new Set(uses.map(({ id }) => id)).size > 1).length;
}
