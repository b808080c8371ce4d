/** The command `dues listen`, with an API key and a receiver on the developer's machine. */
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { afterAll, afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import { DuesProcess, runDues } from '../../tools/world/dues-process.ts';
import { ok, type Receiver, startReceiver, status } from '../../tools/world/webhook-receiver.ts';
import { seedSubscriptions } from '../api/seed.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import { startRoleWorld } from './role-world.ts';

let api: DuesProcess;
let receiver: Receiver;
let listening: DuesProcess;
let secret: string;

vi.setConfig({ testTimeout: 90_000 });

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const port = await freePort();
const world = await sharedByFile(startRoleWorld({ databaseUrl: database.url, redisUrl: undefined, port }));
const db = connectDb(database.url);
const env = { DUES_URL: `http://127.0.0.1:${port}`, DUES_API_KEY: await world.createKey() };
const merchant = await db.merchant.findFirstOrThrow();
await seedSubscriptions(db, { merchantId: merchant.id, environment: 'TEST' }, 1, 'listened');
// No payment becomes due, because missed periods would also have events.
await db.subscription.updateMany({ data: { nextAttemptAt: new Date('2100-01-01T00:00:00Z') } });
const subscription: Subscription = await db.subscription.findFirstOrThrow();
[api] = await Promise.all([world.start('api'), world.start('worker')]);
afterAll(async () => {
  await db.$disconnect();
});

beforeEach(async () => {
  receiver = await startReceiver();
  listening = new DuesProcess(['listen', '--forward-to', receiver.url], env);
  [secret = ''] = await listening.printed(/whsec_[\w+/=]+/);
});
afterEach(async () => {
  const { code, stderr } = await listening.ended('SIGINT');
  await receiver.close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Records a sample event, and returns its id. */
async function trigger(type: string, ...options: string[]): Promise<string> {
  const { stdout, stderr } = await runDues(['trigger', type, ...options], env);
  expect(stderr).toBe('');
  return stdout.match(/^Recorded \S+ (\S+),/)?.[1] ?? '';
}

interface VerifiedWebhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number | null;
  readonly data: object;
}

/** The received webhooks, each verified by both of its signatures. */
function readWebhooks(): VerifiedWebhook[] {
  return receiver.received.map(({ headers, body }) => {
    new Stripe('sk').webhooks.constructEvent(body, String(headers['x-webhook-signature']), secret);
    return new Webhook(secret).verify(body, headers as Record<string, string>) as VerifiedWebhook;
  });
}

it('posts a sample event as a webhook, and again when it is resent', async () => {
  const id = await trigger('subscription.payment_failed', '--subscription', subscription.address);
  await vi.waitFor(() => expect(readWebhooks()).toHaveLength(1), SOON);
  expect(readWebhooks()[0]).toMatchObject({
    id,
    event: 'subscription.payment_failed',
    sequence: 1,
    data: {
      subscriptionId: subscription.address,
      failureCode: 'INSUFFICIENT_FUNDS',
      metadata: { sample: true },
    },
  });
  await listening.printed(
    new RegExp(
      `\\d\\d:\\d\\d:\\d\\d  subscription.payment_failed +${subscription.address}  200  \\d+ ms  ${id}\n`,
    ),
  );

  const resent = await runDues(['resend', id], env);
  expect(resent.stdout).toBe(`Sent subscription.payment_failed ${id} again to all connected dues listen.\n`);
  await listening.printed(new RegExp(`200  \\d+ ms  ${id}  sent again\n`));
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(readWebhooks()).toHaveLength(2);
});

it('continues after the last event when the server was down', async () => {
  const before = await trigger('subscription.created');
  await vi.waitFor(() => expect(readWebhooks().map(({ id }) => id)).toEqual([before]), SOON);
  await api.ended('SIGKILL');
  await listening.printed(/Connection lost, reconnecting: .+\n/);
  const { merchantId, environment, address } = subscription;
  const { id: meanwhile } = await db.$transaction((tx) =>
    recordEvent(tx, {
      merchantId,
      environment,
      type: 'subscription.expired',
      data: {
        subscriptionId: address,
        customer: { email: '', customerId: null, walletAddress: '' },
        failureCount: 3,
        metadata: {},
      },
      at: new Date(),
    }),
  );
  api = await world.start('api');
  await listening.printed(/Connected again; missed events follow\.\n/);
  const after = await trigger('subscription.resumed');
  await vi.waitFor(
    () => expect(readWebhooks().map(({ id }) => id)).toEqual([before, meanwhile, after]),
    SOON,
  );
  expect(listening.stdout.match(/Connection lost/g)).toHaveLength(1);
  expect(listening.stdout.match(/Connected again/g)).toHaveLength(1);
});

it('logs an error of the receiver, and continues', async () => {
  receiver.answer = status(500);
  const failed = await trigger('subscription.cancelled');
  await listening.printed(new RegExp(`failed: answered 500  \\d+ ms  ${failed}`));
  receiver.answer = (response) => response.destroy();
  const broken = await trigger('subscription.cancelled');
  await listening.printed(new RegExp(`failed: the connection was lost  \\d+ ms  ${broken}`));
  receiver.answer = ok;
  const delivered = await trigger('subscription.cancelled');
  await listening.printed(new RegExp(`200  \\d+ ms  ${delivered}`));
});

it('has the same secret for the same key, and posts only the given types', async () => {
  const other = new DuesProcess(
    ['listen', '--forward-to', receiver.url, '--events', 'subscription.expired'],
    env,
  );
  expect((await other.printed(/whsec_[\w+/=]+/))[0]).toBe(secret);
  const otherEvent = await trigger('subscription.created');
  const matchingEvent = await trigger('subscription.expired');
  await other.printed(new RegExp(matchingEvent));
  expect(other.stdout).not.toContain(otherEvent);
  expect((await other.ended('SIGINT')).code).toBe(0);
});

it('ends with one line that explains the error', async () => {
  const to = ['--forward-to', 'http://127.0.0.1:1/'];
  const closedUrl = `http://127.0.0.1:${await freePort()}`;
  const cases: [args: string[], changes: object, message: RegExp][] = [
    [['listen', ...to], { DUES_API_KEY: 'sk_test_wrong' }, /^dues listen: .*API key.*\n$/],
    [
      ['listen', ...to],
      { DUES_API_KEY: undefined },
      /^dues listen: an API key is missing: set DUES_API_KEY.*\n$/,
    ],
    [
      ['listen', ...to],
      { DUES_URL: closedUrl },
      new RegExp(`^dues listen: ${closedUrl} cannot be reached: .*ECONNREFUSED.*\n$`),
    ],
    [['listen', ...to], { DUES_URL: receiver.url }, /^dues listen: \S+ is not a dues server\n$/],
    [
      ['listen', ...to, '--events', 'nothing'],
      {},
      /^dues listen: types may contain subscription\.created.*\n$/,
    ],
    [['listen', '--forward-to', 'localhost'], {}, /^error: .*Not an http or https URL\.\n/],
    [
      ['listen', '--forward-to', 'http://a:b@localhost/'],
      {},
      /^error: .*must not have a user name or password\.\n/,
    ],
    [['trigger', 'subscription.eaten'], {}, /^dues trigger: type may be subscription\.created.*\n$/],
    [
      ['trigger', 'subscription.expired', '--subscription', 'x'],
      {},
      /^dues trigger: No such subscription\.\n$/,
    ],
    [['resend', 'x'], {}, /^dues resend: No such event\.\n$/],
  ];
  for (const [args, changes, message] of cases) {
    const { code, stdout, stderr } = await runDues(args, { ...env, ...changes });
    expect({ args, code }).toEqual({ args, code: stderr.startsWith('error: ') ? 2 : 1 });
    expect(stderr).toMatch(message);
    // The server refuses event types when the stream opens, after the command's first output.
    if (!args.includes('--events')) expect(stdout).toBe('');
  }
});
