import { createHmac } from 'node:crypto';

export interface SignedContent {
  /** The event's id. */
  readonly id: string;
  readonly timestampSeconds: number;
  /** Exactly the bytes that are sent, as text. */
  readonly body: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

/**
 * The two signatures that every webhook carries.
 *
 * - Ours: `x-webhook-signature: t=<seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, the key being the secret as the
 *   merchant sees it.
 * - Standard Webhooks (standardwebhooks.com): `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,<base64
 *   HMAC-SHA256 of "<id>.<timestamp>.<body>">`, the key being the bytes behind `whsec_`.
 */
export function signatureHeaders({
  id,
  timestampSeconds,
  body,
  secret,
}: SignedContent): Record<string, string> {
  const ours = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  const standardKey = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', standardKey)
    .update(`${id}.${timestampSeconds}.${body}`)
    .digest('base64');
  return {
    'x-webhook-signature': `t=${timestampSeconds},v1=${ours}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${standard}`,
  };
}
