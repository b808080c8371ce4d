import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookSignatureError } from '../../client/verify-webhook.ts';
import { signatureHeaders } from '../../src/domain/messages/webhook/post/signature.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const olderSecret = `whsec_${randomBytes(32).toString('base64')}`;
const body = '{"id":"1","event":"endpoint.test","timestamp":1,"sequence":null,"data":{"endpointId":"é"}}';
const timestampSeconds = 1_796_126_400;
const now = timestampSeconds * 1000;
const allHeaders = signatureHeaders({ id: 'msg_1', timestampSeconds, body, secrets: [secret, olderSecret] });
const { 'x-webhook-signature': duesSignature = '', ...standard } = allHeaders;

it.each([
  ['all headers', allHeaders],
  ['only the header of dues', { 'X-Webhook-Signature': duesSignature }],
  ['only the headers of Standard Webhooks', standard],
  ['a Headers object', new Headers(allHeaders)],
])('a webhook with %s is accepted', (_, headers) => {
  for (const key of [secret, olderSecret, ['whsec_AAAA', secret]]) {
    expect(verifyWebhook(body, headers, key, { now })).toMatchObject({ id: '1', data: { endpointId: 'é' } });
    expect(verifyWebhook(Buffer.from(body), headers, key, { now })).toMatchObject({ id: '1' });
  }
});

it.each([
  ['another secret', body, allHeaders, 'whsec_AAAA', 0],
  ['another body', `${body} `, allHeaders, secret, 0],
  ['another body, Standard Webhooks', `${body} `, standard, secret, 0],
  ['another id', body, { ...standard, 'webhook-id': 'msg_2' }, secret, 0],
  [
    'another time',
    body,
    { 'x-webhook-signature': duesSignature.replace(/t=\d+/, 't=1796126401') },
    secret,
    0,
  ],
  ['no time', body, { 'x-webhook-signature': duesSignature.replace(/t=\d+,/, '') }, secret, 0],
  ['no signature', body, {}, secret, 0],
  ['an empty signature', body, { 'x-webhook-signature': `t=${timestampSeconds},v1=` }, secret, 0],
  ['a signature of nothing', body, { 'x-webhook-signature': '' }, secret, 0],
  ['no id', body, { ...standard, 'webhook-id': undefined }, secret, 0],
  ['an age of more than five minutes', body, allHeaders, secret, 301],
  ['a time more than five minutes ahead', body, allHeaders, secret, -301],
])('a webhook with %s is refused', (_, text, headers, key, laterSeconds) => {
  const verify = () => verifyWebhook(text, headers, key, { now: now + laterSeconds * 1000 });
  expect(verify).toThrow(WebhookSignatureError);
});

it('an age of five minutes is accepted, or of the given tolerance', () => {
  expect(verifyWebhook(body, allHeaders, secret, { now: now + 300_000 })).toMatchObject({ id: '1' });
  expect(verifyWebhook(body, allHeaders, secret, { now: now + 3e6, toleranceSeconds: 3000 })).toMatchObject({
    id: '1',
  });
});

it('no headers are accepted without a signature by the secret', () => {
  const names = ['x-webhook-signature', ...Object.keys(standard)];
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(String(timestampSeconds), 'v1,AAAA', `t=${timestampSeconds},v1=${'0'.repeat(64)}`),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (headers) => {
      expect(() => verifyWebhook(body, headers, secret, { now })).toThrow(WebhookSignatureError);
    }),
  );
});
