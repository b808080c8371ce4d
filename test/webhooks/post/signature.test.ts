import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../../src/domain/messages/webhook/post/signature.ts';
import { generateWebhookSecret } from '../../../src/secrets.ts';

const secret = generateWebhookSecret();
const id = '0193f0a0-0000-7000-8000-000000000000';
const timestampSeconds = Math.floor(Date.now() / 1000);
const body = '{"event":"subscription.created","data":{"name":"Zoë"}}';
const headers = signatureHeaders({ id, timestampSeconds, body, secrets: [secret] });

describe('a signed webhook', () => {
  it('is verified by the standardwebhooks library', () => {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('is verified without a library, with the secret as the merchant sees it', () => {
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-webhook-signature'] ?? '') ?? [];
    expect(Number(t)).toBe(timestampSeconds);
    expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  });

  it('is refused with another body, id, time or secret', () => {
    const verify = (changes: object, text = body, key = secret) =>
      new Webhook(key).verify(text, { ...headers, ...changes });
    expect(() => verify({}, `${body} `)).toThrow();
    expect(() => verify({ 'webhook-id': 'other' })).toThrow();
    expect(() => verify({ 'webhook-timestamp': String(timestampSeconds + 1) })).toThrow();
    expect(() => verify({}, body, generateWebhookSecret())).toThrow();
  });

  it('stays the same from release to release', () => {
    const fixed = signatureHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    // This is the published example of Standard Webhooks.
    expect(fixed['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(fixed['webhook-id']).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
    expect(fixed['webhook-timestamp']).toBe('1614265330');
  });
});
