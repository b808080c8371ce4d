import type { ServerResponse } from 'node:http';
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
    /** Only in events about a payment. */
    readonly paymentId?: string;
    /** Only in `payment.refunded`, like `refundedAmount`. */
    readonly refundId?: string;
    readonly refundedAmount?: string;
  };
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
  /** Number of webhooks that arrived again with other data. It must stay 0. */
  changed = 0;
  readonly #receiver: Receiver;
  readonly #tally: Tally;
  readonly #secrets = new Map<string, string>();
  /** The data of each accepted webhook, by id. */
  readonly #received = new Map<string, string>();
  readonly #failures = new Map<string, number>();
  /** How many of the next webhooks fail, by kind of failure. */
  #failuresLeft: Record<'error' | 'hang', number> = { error: 0, hang: 0 };

  private constructor(receiver: Receiver, tally: Tally) {
    this.#receiver = receiver;
    this.#tally = tally;
    receiver.answer = (response, request) => this.#answer(response, request);
  }

  static async start(tally: Tally): Promise<MerchantServer> {
    return new MerchantServer(await startReceiver(), tally);
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
    const data = JSON.stringify(webhook);
    const earlier = this.#received.get(webhook.id);
    if (earlier === undefined) this.accepted.push(webhook);
    else this.repeated += 1;
    if (earlier !== undefined && earlier !== data) this.changed += 1;
    this.#received.set(webhook.id, data);
    ok(response);
  }
}
