import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface ReceivedWebhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly data: { readonly subscriptionId: string; readonly startedAt: string; readonly amount?: string };
}

/**
 * The merchant's server. It verifies every signature with a library that merchants use, and checks
 * the order.
 */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Number of webhooks with an invalid signature. */
  refused = 0;
  outOfOrder = 0;
  readonly #server: Server;
  readonly #receivedIds = new Set<string>();
  readonly #lastSequence = new Map<string, number>();
  secret = '';

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      try {
        const headers = request.headers as Record<string, string>;
        const body = Buffer.concat(chunks).toString();
        const webhook = new Webhook(this.secret).verify(body, headers) as Omit<
          ReceivedWebhook,
          'sequence'
        > & {
          readonly sequence: number | null;
        };
        // The state of a customer has a version instead. The story follows the subscriptions.
        if (webhook.sequence !== null) this.#accept({ ...webhook, sequence: webhook.sequence });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        this.refused += 1;
        response.writeHead(401).end();
      }
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}/webhook`;
  }

  of(subscription: string): ReceivedWebhook[] {
    return this.received.filter(({ data }) => data.subscriptionId === subscription);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(webhook: ReceivedWebhook): void {
    // Events are delivered at least once. A repeated id is the same event.
    if (this.#receivedIds.has(webhook.id)) return;
    this.#receivedIds.add(webhook.id);
    const { subscriptionId, startedAt } = webhook.data;
    const subscription = `${subscriptionId} ${startedAt}`;
    const expected = (this.#lastSequence.get(subscription) ?? 0) + 1;
    if (webhook.sequence !== expected) this.outOfOrder += 1;
    this.#lastSequence.set(subscription, webhook.sequence);
    this.received.push(webhook);
  }
}
