import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { ok, type Received, type Receiver, startReceiver, status } from '../tools/world/webhook-receiver.ts';
import type { Tally } from './tally.ts';

export interface AcceptedWebhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly data: {
    readonly subscriptionId: string;
    readonly startedAt: string;
    readonly amount?: string;
    readonly signature?: string;
    /** Only in failures, like `balanceAvailable` and `nextAttemptDate`. */
    readonly failureCode?: string;
    readonly balanceAvailable?: string;
    readonly nextAttemptDate?: string | null;
    /** Only in events about a payment. */
    readonly paymentId?: string;
    /** Only in `payment.refunded`, like `refundedAmount`. */
    readonly refundId?: string;
    readonly refundedAmount?: string;
    /** Only in `service.restored`, like `lostUntil`: ISO 8601, or null if it is not known. */
    readonly lostFrom?: string | null;
    readonly lostUntil?: string;
  };
}

/** Where and when a webhook was accepted first. */
export interface Arrival {
  readonly merchant: number;
  /** In milliseconds of the chain's time. */
  readonly atMs: number;
}

/** The distance between the sequences at which two timelines begin, as docs/webhooks.md says. */
const TIMELINE_SEQUENCES = 1_000;

/**
 * Whether a database that came back tells an event again, which it has read from the chain: it has the
 * same id and data, and the next number. Refunds of one payment may be found in another order, so sums
 * up to an event may differ, as docs/webhooks.md says.
 */
export function isToldAgain(earlier: AcceptedWebhook, later: AcceptedWebhook): boolean {
  const [before, after] = [earlier, later].map(({ sequence }) => Math.floor(sequence / TIMELINE_SEQUENCES));
  const fact = ({ data, ...webhook }: AcceptedWebhook) => {
    const { refundedAmount: _refunded, excessAmount: _excess, ...rest } = data as Record<string, unknown>;
    return { ...webhook, sequence: 0, timestamp: 0, data: rest };
  };
  return (after ?? 0) > (before ?? 0) && isDeepStrictEqual(fact(earlier), fact(later));
}

/** Maximum failures per webhook. After a third one the next attempt would be half an hour later. */
const MAX_FAILURES = 2;

/**
 * The server of all merchants, each of which has its own path. It verifies every signature with a
 * library that merchants use, keeps the accepted webhooks in order and once per id, and fails on
 * request.
 */
export class MerchantServer {
  readonly accepted: AcceptedWebhook[] = [];
  /** Number of webhooks with an invalid signature. It must stay 0. */
  refused = 0;
  /** Number of webhooks that arrived again. Merchants must expect them. */
  repeated = 0;
  /** Ids of webhooks that arrived again with other data, with both. It must stay empty. */
  readonly changed: string[] = [];
  readonly #receiver: Receiver;
  readonly #tally: Tally;
  readonly #secrets = new Map<string, string>();
  readonly #arrivals = new Map<string, Arrival>();
  readonly #nowMs: () => number;
  readonly #failures = new Map<string, number>();
  /** How many of the next webhooks fail, by kind of failure. */
  #failuresLeft: Record<'error' | 'hang', number> = { error: 0, hang: 0 };

  private constructor(receiver: Receiver, tally: Tally, nowMs: () => number) {
    this.#receiver = receiver;
    this.#tally = tally;
    this.#nowMs = nowMs;
    receiver.answer = (response, request) => this.#answer(response, request);
  }

  /** @param nowMs the chain's time */
  static async start(tally: Tally, nowMs: () => number): Promise<MerchantServer> {
    return new MerchantServer(await startReceiver(), tally, nowMs);
  }

  /** The arrival of an accepted webhook. */
  arrivalOf({ id }: AcceptedWebhook): Arrival {
    const arrival = this.#arrivals.get(id);
    if (!arrival) throw new Error(`webhook ${id} was not accepted`);
    return arrival;
  }

  /** The URL of a merchant. */
  urlOf(merchant: number): string {
    return `${this.#receiver.url}/${merchant}`;
  }

  setSecret(merchant: number, secret: string): void {
    this.#secrets.set(new URL(this.urlOf(merchant)).pathname, secret);
  }

  /** Answers the next `count` webhooks with 500, or not at all. */
  failNext(failure: 'error' | 'hang', count: number): void {
    this.#failuresLeft[failure] = count;
  }

  /** Ends all failures. */
  stopFailing(): void {
    this.#failuresLeft = { error: 0, hang: 0 };
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #answer(response: ServerResponse, request: Received): void {
    this.#receiver.received.length = 0;
    let webhook: AcceptedWebhook;
    try {
      const secret = this.#secrets.get(request.url ?? '') ?? '';
      webhook = new Webhook(secret).verify(
        request.body,
        request.headers as Record<string, string>,
      ) as AcceptedWebhook;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      this.refused += 1;
      status(401)(response);
      return;
    }
    const failures = this.#failures.get(webhook.id) ?? 0;
    const failure = (['error', 'hang'] as const).find((kind) => this.#failuresLeft[kind] > 0);
    if (failure && failures < MAX_FAILURES) {
      this.#failures.set(webhook.id, failures + 1);
      this.#failuresLeft[failure] -= 1;
      this.#tally.add(failure === 'error' ? 'merchant answered 500' : 'merchant hung');
      if (failure === 'error') status(500)(response);
      return;
    }
    this.#accept(webhook, Number(request.url?.split('/').at(-1)));
    ok(response);
  }

  #accept(webhook: AcceptedWebhook, merchant: number): void {
    const index = this.#arrivals.has(webhook.id)
      ? this.accepted.findIndex(({ id }) => id === webhook.id)
      : -1;
    const earlier = this.accepted[index];
    if (!earlier) {
      this.accepted.push(webhook);
      this.#arrivals.set(webhook.id, { merchant, atMs: this.#nowMs() });
      return;
    }
    this.repeated += 1;
    // It takes its turn among the events that are told again, whose order may differ.
    if (isToldAgain(earlier, webhook)) {
      this.accepted.splice(index, 1);
      this.accepted.push(webhook);
    } else if (!isDeepStrictEqual(earlier, webhook))
      this.changed.push(`webhook ${webhook.id}: ${JSON.stringify(earlier)}, then ${JSON.stringify(webhook)}`);
  }
}
