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
 * - GET  /welcome/<userId>               where the customer comes back to after the checkout
 * - GET  /access/<userId>                returns what the customer may do
 *
 * dues says what a customer may do: `createStateCache` asks it, keeps the answer in memory, and takes
 * newer ones from the webhook `customer.state_changed`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createDuesClient,
  createStateCache,
  DuesError,
  verifyWebhook,
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
const states = createStateCache({ url: DUES_URL, apiKey: DUES_API_KEY });

async function subscribe(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { userId, email } = JSON.parse((await buffer(request)).toString()) as Record<string, string>;
  if (!userId || !email) return answer(response, 400, { error: 'userId and email are required' });
  const { url } = await dues.createCheckoutSession({
    planId: PLAN_ID,
    customerEmail: email,
    customerId: userId,
    successUrl: `http://127.0.0.1:${PORT}/welcome/${encodeURIComponent(userId)}`,
  });
  answer(response, 200, { url });
}

async function receiveWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The signature covers the exact bytes of the body, so it must not be parsed first.
  const { event, data } = verifyWebhook(await buffer(request), request.headers, DUES_WEBHOOK_SECRET);
  // A webhook may arrive twice or late: of two states, the higher version is kept.
  if (event === 'customer.state_changed') states.take(data);
  answer(response, 200, { received: true });
}

async function sendAccess(userId: string, response: ServerResponse): Promise<void> {
  const { hasAccess, features, validUntil } = await states.get(userId);
  answer(response, 200, { hasAccess, features, validUntil });
}

/** The customer comes back from the checkout. The webhook may come later, so dues is asked. */
async function welcome(userId: string, response: ServerResponse): Promise<void> {
  const { hasAccess } = await states.refresh(userId);
  answer(response, 200, { hasAccess });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const route = `${request.method} ${pathname}`;
  if (route === 'POST /subscribe') return subscribe(request, response);
  if (route === 'POST /webhooks') return receiveWebhook(request, response);
  const [, page, userId] = /^GET \/(access|welcome)\/([^/]+)$/.exec(route) ?? [];
  if (userId && page === 'access') return sendAccess(decodeURIComponent(userId), response);
  if (userId) return welcome(decodeURIComponent(userId), response);
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
