/** The example as a merchant runs it: in a separate project, against a running dues. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../src/postgres/free-port.ts';
import { DAY, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { installClient } from './install-client.ts';

const project = installClient();
const world = await sharedByFile(startWorld());
const planId = await world.plan();
const port = await freePort();
const { createWebhookEndpoint } = await world.graphql<{ createWebhookEndpoint: { secret: string } }>(
  'mutation ($url: String!) { createWebhookEndpoint(url: $url) { secret } }',
  { url: `http://127.0.0.1:${port}/webhooks` },
);
const secret = createWebhookEndpoint.secret;
const backend = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', project.example], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: process.env.PATH,
    PORT: String(port),
    PLAN_ID: planId,
    DUES_URL: world.apiUrl,
    DUES_API_KEY: world.apiKey,
    DUES_WEBHOOK_SECRET: secret,
  },
});
const url = `http://127.0.0.1:${port}`;
for await (const line of createInterface({ input: backend.stdout as Readable })) {
  if (line.startsWith('listening')) break;
}
backend.stdout?.resume();
afterAll(async () => {
  const ended = once(backend, 'close');
  backend.kill();
  await ended;
  project.remove();
});

interface Access {
  readonly hasAccess: boolean;
  readonly validUntil: string | null;
}

async function access(userId: string) {
  return (await fetch(`${url}/access/${userId}`)).json() as Promise<Access>;
}

/** Subscribes a customer through the backend, with the wallet of `earlier` if it is given. */
async function subscribe(userId: string, earlier?: Subscriber): Promise<Subscriber> {
  const response = await fetch(`${url}/subscribe`, {
    method: 'POST',
    body: JSON.stringify({ userId, email: `${userId}@example.com` }),
  });
  expect(response.status).toBe(200);
  const page = ((await response.json()) as { url: string }).url;
  const sessionId = page.slice(page.lastIndexOf('/') + 1);
  const { subscriber, approve, complete } = await world.checkout(planId, {
    sessionId,
    ...(earlier && { wallet: earlier.wallet }),
  });
  await complete(await approve());
  expect(await (await fetch(`${url}/welcome/${userId}`)).json()).toEqual({ hasAccess: true });
  await world.quiet();
  expect(await access(userId)).toMatchObject({ hasAccess: true, validUntil: null });
  return subscriber;
}

it('a customer gets access by paying, and learns of the end by cancelling', async () => {
  expect(await access('ada')).toMatchObject({ hasAccess: false, validUntil: null });
  const subscriber = await subscribe('ada');
  await subscriber.cancel();
  await world.until('the end is known', async () => (await access('ada')).validUntil !== null);
  expect(await access('ada')).toMatchObject({ hasAccess: true, validUntil: expect.stringMatching(/Z$/) });
});

it('a customer who subscribes again keeps access if an old webhook is late', async () => {
  const first = await subscribe('cleo');
  await first.cancel();
  await world.until('the end is known', async () => (await access('cleo')).validUntil !== null);
  await world.travel(DAY + 60);
  const second = await subscribe('cleo', first);
  expect(second.id).toBe(first.id);
  const late = {
    customerId: 'cleo',
    version: 2,
    hasAccess: false,
    features: {},
    subscriptions: [],
    validUntil: null,
  };
  await sendSigned({ event: 'customer.state_changed', sequence: null, data: late });
  expect(await access('cleo')).toMatchObject({ hasAccess: true, validUntil: null });
});

/** Sends a webhook with a valid signature. */
async function sendSigned(webhook: unknown): Promise<void> {
  const [id, now, body] = ['msg_late', new Date(), JSON.stringify(webhook)];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  const answer = await fetch(`${url}/webhooks`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

it('a webhook that is not from dues is answered with 401', async () => {
  const body = JSON.stringify({ event: 'subscription.created', sequence: 1, data: { subscriptionId: 'x' } });
  const unsigned: Record<string, string> = {};
  for (const headers of [unsigned, { 'x-webhook-signature': `t=${Math.floor(Date.now() / 1000)},v1=00` }]) {
    const answer = await fetch(`${url}/webhooks`, { method: 'POST', headers, body });
    expect(answer.status).toBe(401);
  }
});

it('a refusal by dues does not stop the backend', async () => {
  const response = await fetch(`${url}/subscribe`, {
    method: 'POST',
    body: JSON.stringify({ userId: 'bob', email: 'nobody' }),
  });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 502,
    body: { error: 'dues: invalid_request' },
  });
});
