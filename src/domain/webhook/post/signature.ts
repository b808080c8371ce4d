import { createHmac } from 'node:crypto';

export interface SignedContent {
  /** The event's id. */
  readonly id: string;
  readonly timestampSeconds: number;
  /** Exactly the bytes that are sent, as text. */
  readonly body: string;
  /** `whsec_` and base64, newest first; during a rotation the one before as well. */
  readonly secrets: readonly string[];
}

/**
 * The two signatures that every webhook carries, each by every secret that is valid.
 *
 * - Ours: `x-webhook-signature: t=<seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, the key being the secret as the
 *   merchant sees it; with two secrets `,v1=<hex>` once more. Stripe's libraries read it.
 * - Standard Webhooks (standardwebhooks.com): `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,<base64
 *   HMAC-SHA256 of "<id>.<timestamp>.<body>">`, the key being the bytes behind `whsec_`; with two secrets two of them with a
 *   space between.
 */
export function signatureHeaders({
  id,
  timestampSeconds,
  body,
  secrets,
}: SignedContent): Record<string, string> {
  const ours = secrets.map((secret) => `v1=${hmac(secret, `${timestampSeconds}.${body}`).digest('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${hmac(key, `${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'x-webhook-signature': [`t=${timestampSeconds}`, ...ours].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text);
}
