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

async function access(userId: string) {
  return (await fetch(`${url}/access/${userId}`)).json() as Promise<{ state: string; until: string | null }>;
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
  await world.quiet();
  expect(await access(userId)).toEqual({ state: 'active', until: null });
  return subscriber;
}

it('a customer gets access by paying, and loses it by cancelling', async () => {
  expect(await access('ada')).toEqual({ state: 'none', until: null });
  const subscriber = await subscribe('ada');
  await subscriber.cancel();
  await world.until('access has ended', async () => (await access('ada')).state === 'ended');
  expect((await access('ada')).until).toMatch(/Z$/);
});

it('a customer who subscribes again keeps access if an old webhook is late', async () => {
  const first = await subscribe('cleo');
  await first.cancel();
  await world.until('access has ended', async () => (await access('cleo')).state === 'ended');
  await world.travel(DAY + 60);
  const second = await subscribe('cleo', first);
  expect(second.id).toBe(first.id);
  const cancelled = world.webhooks(first.id).find(({ event }) => event === 'subscription.cancelled');
  await sendSigned(cancelled);
  expect(await access('cleo')).toEqual({ state: 'active', until: null });
});

it('an event of version 0.1.0, without a start, is older than all others', async () => {
  const customer = { email: 'dan@example.com', customerId: 'dan', walletAddress: 'wallet' };
  const old = { subscriptionId: 'address of dan', customer };
  await sendSigned({ event: 'subscription.created', sequence: 1, data: old });
  expect(await access('dan')).toEqual({ state: 'active', until: null });
  const data = { ...old, startedAt: '2026-01-01T00:00:00.000Z', accessUntil: null };
  await sendSigned({ event: 'subscription.cancelled', sequence: 2, data });
  expect(await access('dan')).toEqual({ state: 'ended', until: null });
  await sendSigned({ event: 'subscription.resumed', sequence: 3, data: old });
  expect(await access('dan')).toEqual({ state: 'ended', until: null });
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
