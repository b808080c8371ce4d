import type { ServerResponse } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { ok, type Received, type Receiver, startReceiver, status } from '../test/webhooks/receiver.ts';
import type { Tally } from './tally.ts';

export interface ToldWebhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly data: { readonly subscriptionId: string; readonly amount?: string; readonly signature?: string };
}

/** A webhook fails so often at most: the next try comes when half an hour of the chain's time has passed. */
const MOST_FAILURES = 2;

/**
 * The server of all merchants, each at a path of its own. Verifies every signature with a merchant's library, keeps what it
 * has said yes to, once by id and in the order in which that came, and misbehaves when it is told to.
 */
export class MerchantServer {
  readonly told: ToldWebhook[] = [];
  /** Webhooks whose signature did not verify: nobody else may be able to make them. */
  refused = 0;
  /** The same event again, which merchants were told to expect. */
  repeated = 0;
  readonly #receiver: Receiver;
  readonly #tally: Tally;
  readonly #secrets = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** How many webhooks are still to fail, and how. */
  #toFail: Record<'error' | 'hang', number> = { error: 0, hang: 0 };

  private constructor(receiver: Receiver, tally: Tally) {
    this.#receiver = receiver;
    this.#tally = tally;
    receiver.answer = (response, request) => this.#answer(response, request);
  }

  static async start(tally: Tally): Promise<MerchantServer> {
    return new MerchantServer(await startReceiver(), tally);
  }

  /** Where a merchant listens. */
  urlOf(merchant: number): string {
    return `${this.#receiver.url}/${merchant}`;
  }

  setSecret(merchant: number, secret: string): void {
    this.#secrets.set(new URL(this.urlOf(merchant)).pathname, secret);
  }

  /** The next so many webhooks are answered with 500, or not at all. */
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
    let webhook: ToldWebhook;
    try {
      const secret = this.#secrets.get(request.url ?? '') ?? '';
      webhook = new Webhook(secret).verify(
        request.body,
        request.headers as Record<string, string>,
      ) as ToldWebhook;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      this.refused += 1;
      status(401)(response);
      return;
    }
    const failures = this.#failures.get(webhook.id) ?? 0;
    const how = (['error', 'hang'] as const).find((each) => this.#toFail[each] > 0);
    if (how && failures < MOST_FAILURES) {
      this.#failures.set(webhook.id, failures + 1);
      this.#toFail[how] -= 1;
      this.#tally.add(how === 'error' ? 'merchant answered 500' : 'merchant hung');
      if (how === 'error') status(500)(response);
      return;
    }
    if (this.#seen.has(webhook.id)) this.repeated += 1;
    else this.told.push(webhook);
    this.#seen.add(webhook.id);
    ok(response);
  }
}
