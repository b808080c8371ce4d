import { createHmac } from 'node:crypto';

export interface SignedContent {
  /** The event's id. */
  readonly id: string;
  readonly timestampSeconds: number;
  /** The text of exactly the bytes that are sent. */
  readonly body: string;
  /** Secrets (`whsec_` and base64), newest first. During a rotation there are two. */
  readonly secrets: readonly string[];
}

/**
 * The two signatures of every webhook, each with every valid secret.
 *
 * - Ours: `x-webhook-signature: t=<seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. The key is the
 *   whole secret as text. With two secrets there is a second `,v1=<hex>`. Stripe's libraries can
 *   verify it.
 * - Standard Webhooks (standardwebhooks.com): `webhook-id`, `webhook-timestamp` and
 *   `webhook-signature: v1,<base64 HMAC-SHA256 of "<id>.<timestamp>.<body>">`. The key is the
 *   decoded part after `whsec_`. With two secrets there are two signatures, separated by a space.
 */
export function signatureHeaders({ id, timestampSeconds, body, secrets }: SignedContent) {
  const duesSignatures = secrets.map(
    (secret) => `v1=${hmac(secret, `${timestampSeconds}.${body}`).digest('hex')}`,
  );
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${hmac(key, `${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'x-webhook-signature': [`t=${timestampSeconds}`, ...duesSignatures].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text);
}
