/**
 * A merchant's backend in one file: it sells one plan and gives access to customers who pay for it.
 *
 *   npm run client
 *   DUES_URL=http://127.0.0.1:3000 DUES_API_KEY=sk_test_... DUES_WEBHOOK_SECRET=whsec_...
 *   PLAN_ID=pro-monthly \
 *     node_modules/.bin/node docs/examples/merchant-backend.ts
 *
 * The first command builds `dues/client`. The second runs the Node that `npm ci` installs, because
 * TypeScript needs Node 22.18 or newer.
 *
 * - POST /subscribe {"userId","email"}   returns the URL of the checkout page for the customer
 * - POST /webhooks                       receives webhooks (the URL for `createWebhookEndpoint`)
 * - GET  /access/<userId>                returns whether the customer has access
 *
 * It keeps its data in memory. A real backend keeps the data in its database, with the `id` of each
 * event, and the `startedAt` and `sequence` of the newest event of each subscription.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createDuesClient,
  DuesError,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from 'dues/client';

const {
  DUES_URL = '',
  DUES_API_KEY = '',
  DUES_WEBHOOK_SECRET = '',
  PLAN_ID = '',
  PORT = '4000',
} = process.env;
const dues = createDuesClient({ url: DUES_URL, apiKey: DUES_API_KEY });

interface Access {
  readonly state: 'active' | 'past_due' | 'ended';
  /** End of the paid time after a cancellation. ISO 8601; null if there is none. */
  readonly until: string | null;
}

/** The position of an event among the events with its `subscriptionId`. */
interface EventPosition {
  /** ISO 8601. A new subscription at the address of one that has ended has a later start. */
  readonly startedAt: string;
  /** Counts from 1 for each start. */
  readonly sequence: number;
}

const accessOf = new Map<string, Access>();
const userOf = new Map<string, string>();
const newest = new Map<string, EventPosition>();

async function subscribe(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { userId, email } = JSON.parse((await buffer(request)).toString()) as Record<string, string>;
  if (!userId || !email) return answer(response, 400, { error: 'userId and email are required' });
  const { url } = await dues.createCheckoutSession({
    planId: PLAN_ID,
    customerEmail: email,
    customerId: userId,
    successUrl: `http://127.0.0.1:${PORT}/access/${encodeURIComponent(userId)}`,
    metadata: { userId },
  });
  answer(response, 200, { url });
}

async function receiveWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The signature covers the exact bytes of the body, so it must not be parsed first.
  const body = await buffer(request);
  apply(verifyWebhook(body, request.headers, DUES_WEBHOOK_SECRET));
  answer(response, 200, { received: true });
}

/** Applies an event unless it is old: a webhook may arrive twice, or after a newer one. */
function apply(event: WebhookEvent): void {
  const { sequence } = event;
  if (!('subscriptionId' in event.data) || sequence === null) return;
  // Events of version 0.1.0 have no start. They count as the oldest.
  const { subscriptionId, startedAt = '' } = event.data;
  const position = { startedAt, sequence };
  if (!isAfter(position, newest.get(subscriptionId))) return;
  newest.set(subscriptionId, position);
  if (event.event === 'subscription.created') {
    userOf.set(subscriptionId, event.data.customer.customerId ?? event.data.customer.email);
  }
  const userId = userOf.get(subscriptionId);
  const access = accessAfter(event);
  if (userId === undefined || access === undefined) return;
  accessOf.set(userId, access);
  console.log(`${userId}: ${access.state}`);
}

function isAfter(position: EventPosition, other: EventPosition | undefined): boolean {
  if (!other || position.startedAt > other.startedAt) return true;
  return position.startedAt === other.startedAt && position.sequence > other.sequence;
}

function accessAfter(event: WebhookEvent): Access | undefined {
  switch (event.event) {
    case 'subscription.created':
    case 'subscription.payment_succeeded':
    case 'subscription.resumed':
      return { state: 'active', until: null };
    case 'subscription.payment_failed':
      return { state: 'past_due', until: null };
    case 'subscription.cancelled':
      return { state: 'ended', until: event.data.accessUntil };
    case 'subscription.expired':
      return { state: 'ended', until: null };
    default:
      return undefined;
  }
}

function sendAccess(userId: string, response: ServerResponse): void {
  answer(response, 200, accessOf.get(userId) ?? { state: 'none', until: null });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const route = `${request.method} ${pathname}`;
  if (route === 'POST /subscribe') return subscribe(request, response);
  if (route === 'POST /webhooks') return receiveWebhook(request, response);
  const [, userId] = /^GET \/access\/([^/]+)$/.exec(route) ?? [];
  if (userId) return sendAccess(decodeURIComponent(userId), response);
  answer(response, 404, { error: 'not found' });
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    if (error instanceof WebhookSignatureError) return answer(response, 401, { error: error.message });
    if (error instanceof DuesError) return answer(response, 502, { error: `dues: ${error.code}` });
    if (error instanceof SyntaxError) return answer(response, 400, { error: 'JSON expected' });
    console.error(error);
    answer(response, 500, { error: 'internal error' });
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on ${JSON.stringify(server.address())}`);
});
