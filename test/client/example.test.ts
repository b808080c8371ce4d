/** The example as a merchant runs it: in a separate project, against a running dues. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/postgres/free-port.ts';
import { DAY, type Subscriber, startWorld, type World } from '../scenarios/world.ts';
import { installClient } from './install-client.ts';

let world: World;
let project: ReturnType<typeof installClient>;
let backend: ChildProcess;
let url: string;
let planId: string;
let secret: string;
let port: number;

beforeAll(async () => {
  project = installClient();
  world = await startWorld();
  planId = await world.plan();
  port = await freePort();
  const { createWebhookEndpoint } = await world.graphql<{ createWebhookEndpoint: { secret: string } }>(
    'mutation ($url: String!) { createWebhookEndpoint(url: $url) { secret } }',
    { url: `http://127.0.0.1:${port}/webhooks` },
  );
  secret = createWebhookEndpoint.secret;
  backend = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', project.example], {
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
  url = `http://127.0.0.1:${port}`;
  for await (const line of createInterface({ input: backend.stdout as Readable })) {
    if (line.startsWith('listening')) break;
  }
  backend.stdout?.resume();
});
afterAll(async () => {
  const ended = once(backend, 'close');
  backend.kill();
  await ended;
  await world.close();
  project.remove();
});

async function access(userId: string) {
  return (await fetch(`${url}/access/${userId}`)).json() as Promise<{ state: string; until: string | null }>;
}

/** Subscribes a customer through the backend, with the wallet of an earlier subscription if given. */
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

it('a customer who subscribes again at the same address keeps access if an old webhook arrives late', async () => {
  const first = await subscribe('cleo');
  await first.cancel();
  await world.until('access has ended', async () => (await access('cleo')).state === 'ended');
  await world.travel(DAY + 60);
  const second = await subscribe('cleo', first);
  expect(second.id).toBe(first.id);
  const cancelled = world.webhooks(first.id).find(({ event }) => event === 'subscription.cancelled');
  const body = JSON.stringify(cancelled);
  const [id, now] = ['msg_late', new Date()];
  const answer = await fetch(`${url}/webhooks`, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    },
    body,
  });
  expect(answer.status).toBe(200);
  expect(await access('cleo')).toEqual({ state: 'active', until: null });
});

it('a webhook that is not from dues is answered with 401, and changes nothing', async () => {
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
