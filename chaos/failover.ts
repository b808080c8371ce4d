// A machine dies, and a standby takes over: what the run does, and what it then asks for.
import { setTimeout as wait } from 'node:timers/promises';
import { readTransfersNaming } from '../tools/chain-transfers.ts';
import { runDues } from '../tools/world/dues-process.ts';
import {
  type Acknowledged,
  type LostRows,
  printedWindows,
  sortLost,
  type ToldWindow,
} from './acknowledged.ts';
import type { Customer } from './customers.ts';
import type { FailoverOrder } from './failover-schedule.ts';
import { untilWorking } from './faults/silence.ts';
import type { Wrong } from './judge.ts';
import type { AcceptedWebhook } from './merchant-server.ts';
import type { ChaosRefunds } from './refunds.ts';
import { tokenAccountOf } from './tokens.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

/** Milliseconds between two requests for a checkout. The limit is 100 per merchant and minute. */
const BETWEEN_CHECKOUTS_MS = 700;
/** Events that are facts of the chain: read again, they have the same id. */
const ON_CHAIN = [
  'subscription.created',
  'subscription.payment_succeeded',
  'payment.refunded',
  'payment.refunded_again',
];

/** What must be 0 after a failover. */
export interface FailoverFigures {
  /** What was acknowledged and has no row, and is not listed either: see `acknowledged.ts`. */
  readonly acknowledged_lost: number;
  readonly charged_after_cancel: number;
  readonly charged_twice: number;
  /** Events, positions in a subscription's order, and charges that had two meanings at a merchant. */
  readonly ids_reused: number;
  /** Receipts whose number now belongs to another payment. */
  readonly receipt_numbers_twice: number;
  readonly audit_differences: number;
}

/** What an asynchronous standby may lack. All are 0 with a synchronous one. */
export interface ListedFigures {
  /** Cancellations that are lost and listed. */
  readonly told_lost: number;
  /** Checkouts, requests for refunds and delivered events that are lost and listed. */
  readonly told_lost_others: number;
  /** Charges after a cancellation that is lost and listed. */
  readonly charged_after_lost_cancel: number;
}

interface Receipt {
  readonly number: string;
  readonly signature: string | null;
}

/** A cancellation by a merchant, which was answered with success. */
interface Cancellation {
  readonly customer: Customer;
  readonly atMs: number;
}

/** The failover of a run. */
export class Failover {
  readonly order: FailoverOrder;
  readonly #world: ChaosWorld;
  readonly #merchants: readonly ChaosMerchant[];
  readonly #customers: readonly Customer[];
  readonly #refunds: ChaosRefunds;
  readonly #checkouts: Acknowledged[] = [];
  readonly #cancellations: Cancellation[] = [];
  #receipts: readonly Receipt[] = [];

  constructor(
    world: ChaosWorld,
    {
      merchants,
      customers,
      refunds,
    }: {
      readonly merchants: readonly ChaosMerchant[];
      readonly customers: readonly Customer[];
      readonly refunds: ChaosRefunds;
    },
    order: FailoverOrder,
  ) {
    this.#world = world;
    this.#merchants = merchants;
    this.#customers = customers;
    this.#refunds = refunds;
    this.order = order;
  }

  /** Loses the primary, promotes the standby, and waits until everything works again. */
  async happen(): Promise<void> {
    const { pair, tally } = this.#world;
    if (!pair) return;
    const over = new AbortController();
    const asking = this.#askForCheckouts(over.signal);
    try {
      await wait(this.order.afterMs);
      if (this.order.replication === 'asynchronous') pair.pauseStandby();
      await Promise.all([this.#cancelSome(), this.#losePrimary(pair)]);
      tally.add('failover');
    } finally {
      over.abort();
      await asking;
    }
  }

  async #losePrimary(pair: NonNullable<ChaosWorld['pair']>): Promise<void> {
    const { isSilent, noticedAfterMs, unreceivedMs, replication } = this.order;
    await wait(unreceivedMs);
    this.#receipts = await this.#readReceipts();
    const lostAt = performance.now();
    if (isSilent) pair.silencePrimary();
    else await pair.killPrimary();
    await wait(noticedAfterMs);
    await pair.promote();
    this.#world.board.say(
      `  the primary ${isSilent ? 'is silent' : 'was killed'}, the ${replication} standby is promoted`,
    );
    await untilWorking(this.#world, lostAt);
    if (replication === 'asynchronous') await this.#refunds.requestAgain();
  }

  /** The merchants cancel, one customer after the other, while the standby receives nothing. */
  async #cancelSome(): Promise<void> {
    const { cancelled, unreceivedMs } = this.order;
    const cancel = async (index: number, position: number) => {
      const customer = this.#customers[index];
      if (!customer) throw new Error(`there is no customer ${index}`);
      await wait((position * unreceivedMs) / cancelled.length);
      await customer.cancelByMerchant();
      this.#cancellations.push({ customer, atMs: this.#world.network.nowMs() });
    };
    await Promise.all(cancelled.map(cancel));
  }

  /** Compares what merchants were told is done with what is left, and with what is listed as lost. */
  async findLost(): Promise<LostRows> {
    const acknowledged = this.#acknowledged();
    const kept = await this.#keptOf(acknowledged);
    const lost = acknowledged.filter(({ kind, id }) => !kept.has(`${kind} ${id}`));
    // A synchronous standby may lose nothing, whatever is listed.
    if (this.order.replication === 'synchronous') return sortLost(lost, [], []);
    const { stdout } = await runDues(['reconcile'], this.#world.env);
    return sortLost(lost, this.#toldWindows(), printedWindows(stdout, this.#world.network.nowMs()));
  }

  /** Whether the cancellation of a customer was lost; undefined if its merchant did not cancel. */
  cancellationOf(customer: Customer, { unlisted, listed }: LostRows): 'kept' | 'lost' | undefined {
    if (!this.#cancellations.some((cancellation) => cancellation.customer === customer)) return undefined;
    const isOf = ({ kind, id }: Acknowledged) => kind === 'cancellation' && id === customer.subscription;
    return [...unlisted, ...listed].some(isOf) ? 'lost' : 'kept';
  }

  /** @param wrong what the judges have found */
  async judge(wrong: readonly Wrong[], { unlisted }: LostRows): Promise<FailoverFigures> {
    const { merchantServer } = this.#world;
    const count = (...kinds: string[]) => wrong.filter(({ what }) => kinds.includes(what)).length;
    const before = new Map(this.#receipts.map(({ number, signature }) => [number, signature]));
    const receipts = await this.#readReceipts();
    const reused = [...merchantServer.changed, ...reusedIds(merchantServer.accepted)];
    for (const what of reused) this.#world.board.warn(`REUSED: ${what}`);
    return {
      acknowledged_lost: unlisted.length,
      charged_after_cancel: count('charge that is not due'),
      charged_twice: count('double charge'),
      ids_reused: reused.length,
      receipt_numbers_twice: receipts.filter(
        ({ number, signature }) => before.has(number) && before.get(number) !== signature,
      ).length,
      audit_differences: count('dues audit', 'dues audit --books'),
    };
  }

  async countListed({ listed }: LostRows): Promise<ListedFigures> {
    const cancellations = listed.filter(({ kind }) => kind === 'cancellation');
    const lost = this.#cancellations.filter(({ customer }) =>
      cancellations.some(({ id }) => id === customer.subscription),
    );
    const charges = await Promise.all(lost.map((cancellation) => this.#chargesAfter(cancellation)));
    return {
      told_lost: cancellations.length,
      told_lost_others: listed.length - cancellations.length,
      charged_after_lost_cancel: charges.reduce((sum, count) => sum + count, 0),
    };
  }

  async #chargesAfter({ customer, atMs }: Cancellation): Promise<number> {
    const source = tokenAccountOf(customer.app.address);
    const transfers = await readTransfersNaming(this.#world.network.rpcUrl, customer.subscription);
    return transfers.filter((transfer) => transfer.source === source && transfer.blockTime * 1_000 > atMs)
      .length;
  }

  #acknowledged(): Acknowledged[] {
    const { merchantServer } = this.#world;
    const cancellations = this.#cancellations.map(({ customer, atMs }) => ({
      kind: 'cancellation' as const,
      id: customer.subscription,
      merchant: this.#merchants.indexOf(customer.merchant),
      atMs,
      // The failover is over when the cancellations are done again. Redis keeps its data until then.
      mustReturn: this.#world.redis !== undefined,
    }));
    const refunds = this.#refunds.answered.map(({ id, merchant, atMs }) => ({
      kind: 'refund' as const,
      id,
      merchant: this.#merchants.indexOf(merchant),
      atMs,
      mustReturn: false,
    }));
    const events = merchantServer.accepted.map((webhook) => ({
      kind: 'event' as const,
      id: webhook.id,
      ...merchantServer.arrivalOf(webhook),
      mustReturn: ON_CHAIN.includes(webhook.event),
    }));
    return [...this.#checkouts, ...cancellations, ...refunds, ...events];
  }

  /** The kinds and ids of the rows that are left. */
  async #keptOf(acknowledged: readonly Acknowledged[]): Promise<ReadonlySet<string>> {
    const { db } = this.#world;
    const idsOf = (wanted: Acknowledged['kind']) =>
      acknowledged.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
    const kept = await db.$queryRaw<{ row: string }[]>`
      SELECT 'checkout ' || "id" AS "row" FROM "CheckoutSession" WHERE "id"::text = ANY(${idsOf('checkout')}::text[])
      UNION ALL SELECT 'refund ' || "id" FROM "Refund" WHERE "id"::text = ANY(${idsOf('refund')}::text[])
      UNION ALL SELECT 'event ' || "id" FROM "Event" WHERE "id"::text = ANY(${idsOf('event')}::text[])
      UNION ALL SELECT 'cancellation ' || "address" FROM "Subscription"
        WHERE "address" = ANY(${idsOf('cancellation')}::text[]) AND "status" = 'CANCELLED'`;
    return new Set(kept.map(({ row }) => row));
  }

  #toldWindows(): ToldWindow[] {
    const { merchantServer } = this.#world;
    const restored = merchantServer.accepted.filter(({ event }) => event === 'service.restored');
    return restored.map((webhook) => ({
      merchant: merchantServer.arrivalOf(webhook).merchant,
      fromMs: webhook.data.lostFrom ? Date.parse(webhook.data.lostFrom) : null,
      untilMs: Date.parse(webhook.data.lostUntil ?? ''),
    }));
  }

  /** Opens checkouts as a backend does: a request without an answer of 200 is repeated with its key. */
  async #askForCheckouts(over: AbortSignal): Promise<void> {
    for (let number = 0; !over.aborted; number += 1) {
      const index = number % this.#merchants.length;
      const merchant = this.#merchants[index];
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
        if (isDone && sessionId) this.#checkouts.push(this.#openedCheckout(sessionId, index));
        await wait(BETWEEN_CHECKOUTS_MS);
      }
    }
  }

  #openedCheckout(id: string, merchant: number): Acknowledged {
    return { kind: 'checkout', id, merchant, atMs: this.#world.network.nowMs(), mustReturn: false };
  }

  #readReceipts(): Promise<Receipt[]> {
    return this.#world.db.$queryRaw<Receipt[]>`
      SELECT "merchantId" || ' ' || "receiptNumber" AS "number", "signature" FROM "Payment"
      WHERE "receiptNumber" IS NOT NULL`;
  }
}

/** Positions in the order of a subscription, charges and refunds that arrived with two ids. */
export function reusedIds(accepted: readonly AcceptedWebhook[]): string[] {
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
  return [...Map.groupBy(facts, ({ fact }) => fact)].flatMap(([fact, uses]) => {
    const ids = new Set(uses.map(({ id }) => id));
    return ids.size > 1 ? [`${fact} has the ids ${[...ids].join(', ')}`] : [];
  });
}
