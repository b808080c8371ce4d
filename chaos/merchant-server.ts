import type { ServerResponse } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { ok, type Received, type Receiver, startReceiver, status } from '../tools/webhook-receiver.ts';
import type { Tally } from './tally.ts';

export interface ReportedWebhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly data: {
    readonly subscriptionId: string;
    readonly amount?: string;
    readonly signature?: string;
    /** Of `payment.refunded`. */
    readonly paymentId?: string;
    readonly refundId?: string;
    readonly refundedAmount?: string;
  };
}

/** Maximum failures per webhook: the next attempt would follow after half an hour of chain time. */
const MAX_FAILURES = 2;

/**
 * The server of all merchants, each at its own path. Verifies every signature with a library that
 * merchants use, keeps the accepted webhooks in order and once per id, and fails on request.
 */
export class MerchantServer {
  readonly reported: ReportedWebhook[] = [];
  /** Webhooks with an invalid signature. There must be none. */
  refused = 0;
  /** Repeated webhooks of the same event, which merchants must expect. */
  repeated = 0;
  readonly #receiver: Receiver;
  readonly #tally: Tally;
  readonly #secrets = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** How many of the next webhooks fail, and how. */
  #toFail: Record<'error' | 'hang', number> = { error: 0, hang: 0 };

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
  misbehave(how: 'error' | 'hang', webhooks: number): void {
    this.#toFail[how] = webhooks;
  }

  behave(): void {
    this.#toFail = { error: 0, hang: 0 };
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #answer(response: ServerResponse, request: Received): void {
    this.#receiver.received.length = 0;
    let webhook: ReportedWebhook;
    try {
      const secret = this.#secrets.get(request.url ?? '') ?? '';
      webhook = new Webhook(secret).verify(
        request.body,
        request.headers as Record<string, string>,
      ) as ReportedWebhook;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      this.refused += 1;
      status(401)(response);
      return;
    }
    const failures = this.#failures.get(webhook.id) ?? 0;
    const how = (['error', 'hang'] as const).find((each) => this.#toFail[each] > 0);
    if (how && failures < MAX_FAILURES) {
      this.#failures.set(webhook.id, failures + 1);
      this.#toFail[how] -= 1;
      this.#tally.add(how === 'error' ? 'merchant answered 500' : 'merchant hung');
      if (how === 'error') status(500)(response);
      return;
    }
    if (this.#seen.has(webhook.id)) this.repeated += 1;
    else this.reported.push(webhook);
    this.#seen.add(webhook.id);
    ok(response);
  }
}
