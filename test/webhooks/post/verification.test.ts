/** Received webhooks, verified with the libraries that merchants use. */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Deliverer } from '../../../src/domain/messages/webhook/delivery/deliverer.ts';
import { rotateSecret } from '../../../src/domain/messages/webhook/rotate-secret.ts';
import { generateWebhookSecret } from '../../../src/secrets.ts';
import { type Received, startReceiver } from '../../../tools/world/webhook-receiver.ts';
import { settle } from '../settle.ts';
import { addEndpoint, createSubscribedMerchant, recordExpired, startWorld } from '../world.ts';

let captured: Received;
let secrets: [current: string, previous: string];

beforeAll(async () => {
  const { ctx, close } = await startWorld();
  const merchant = await createSubscribedMerchant(ctx);
  const receiver = await startReceiver();
  const { endpoint, secret } = await addEndpoint(ctx, merchant, receiver.url);
  const rotated = await rotateSecret(ctx, merchant.scope, endpoint.id);
  const deliverer = new Deliverer(ctx);
  await recordExpired(ctx, merchant);
  await settle(ctx, deliverer);
  await deliverer.close();
  await receiver.close();
  await close();
  captured = receiver.received[0] as Received;
  secrets = [rotated.secret, secret];
});

type Headers = Record<string, string>;
const stripe = new Stripe('sk_unused');

const LIBRARIES: [
  string,
  (body: string, headers: Headers, secret: string) => unknown,
  timestampHeader: string,
][] = [
  [
    'standardwebhooks',
    (body, headers, secret) => new StandardWebhook(secret).verify(body, headers),
    'webhook-timestamp',
  ],
  ['svix', (body, headers, secret) => new SvixWebhook(secret).verify(body, headers), 'webhook-timestamp'],
  [
    'stripe',
    (body, headers, secret) =>
      stripe.webhooks.constructEvent(body, headers['x-webhook-signature'] ?? '', secret),
    'x-webhook-signature',
  ],
];

describe.each(LIBRARIES)('a captured webhook and %s', (_, verify, timestampHeader) => {
  const headers = () => captured.headers as Headers;
  const changeHeader = (name: string, from: RegExp, to: string) => ({
    ...headers(),
    [name]: headers()[name]?.replace(from, to) ?? '',
  });

  it('agree, with either secret of a rotation', () => {
    for (const secret of secrets) {
      expect(() => verify(captured.body, headers(), secret)).not.toThrow();
    }
  });

  it('disagree if it was tampered with', () => {
    expect(() => verify(`${captured.body} `, headers(), secrets[0])).toThrow();
    expect(() => verify(captured.body.replace('3', '4'), headers(), secrets[0])).toThrow();
    expect(() => verify(captured.body, headers(), generateWebhookSecret())).toThrow();
    const later = Math.floor(Date.now() / 1000) + 7;
    expect(() =>
      verify(captured.body, changeHeader(timestampHeader, /\d{10}/, String(later)), secrets[0]),
    ).toThrow();
  });

  it('disagree if it is too old', () => {
    // The message is genuine, and the merchant's clock shows ten minutes later.
    vi.useFakeTimers({ now: Date.now() + 600_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(() => verify(captured.body, headers(), secrets[0])).toThrow(/too old|tolerance/i);
  });
});
