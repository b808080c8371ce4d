import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventData, EventType } from './generated/webhook-events.ts';

/** The body of a webhook. */
export type WebhookEvent = {
  [T in EventType]: {
    /** A UUID. A repeated webhook has the same id. */
    readonly id: string;
    readonly event: T;
    /** Time of the event in milliseconds since 1970. */
    readonly timestamp: number;
    /**
     * Consecutive number per subscription, to order the events with one `subscriptionId` and one
     * `startedAt`; null for an event without a subscription.
     */
    readonly sequence: number | null;
    readonly data: EventData[T];
  };
}[EventType];

export interface VerifyOptions {
  /** Maximum age, and maximum time in the future, of a webhook. Default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** The webhook is not from dues, was changed, or is a replay. Respond with 401. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook and returns its event. It uses the signature in `x-webhook-signature` or,
 * without that header, the one of Standard Webhooks (standardwebhooks.com).
 *
 * `body` must be the received bytes: JSON that was parsed and serialised again has another
 * signature. `secret` is the endpoint's `whsec_...`, or both secrets during a rotation.
 *
 * @throws WebhookSignatureError
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): WebhookEvent {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const header = (name: string) => headerOf(headers, name);
  const signed = readDuesSignature(header) ?? readStandardSignature(header);
  if (!signed) throw new WebhookSignatureError('The webhook has no signature.');
  if (!(Math.abs(now / 1000 - signed.timestampSeconds) <= toleranceSeconds)) {
    throw new WebhookSignatureError('The webhook is too old, or from the future.');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!secrets.some((candidate) => isSigned(signed, text, candidate))) {
    throw new WebhookSignatureError('The signature of the webhook is wrong.');
  }
  return JSON.parse(text) as WebhookEvent;
}

interface Signed {
  readonly timestampSeconds: number;
  /** The signed text before the body. */
  readonly prefix: string;
  readonly signatures: readonly Buffer[];
  readonly keyOf: (secret: string) => string | Buffer;
}

type ReadHeader = (name: string) => string | undefined;

/**
 * Reads `t=<seconds>,v1=<hex>`, with several `v1` during a rotation. The key is the whole secret.
 */
function readDuesSignature(header: ReadHeader): Signed | undefined {
  const value = header('x-webhook-signature');
  if (value === undefined) return undefined;
  const parts = value.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.filter(([name]) => name === 'v1').map(([, hex = '']) => Buffer.from(hex, 'hex'));
  return {
    timestampSeconds: secondsOf(timestamp),
    prefix: `${timestamp}.`,
    signatures,
    keyOf: (secret) => secret,
  };
}

/**
 * Reads `v1,<base64>`, with several separated by spaces. The key is the decoded part after
 * `whsec_`.
 */
function readStandardSignature(header: ReadHeader): Signed | undefined {
  const [id, timestamp, value] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (id === undefined || timestamp === undefined || value === undefined) return undefined;
  const signatures = value
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => Buffer.from(entry.slice('v1,'.length), 'base64'));
  return {
    timestampSeconds: secondsOf(timestamp),
    prefix: `${id}.${timestamp}.`,
    signatures,
    keyOf: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
  };
}

function isSigned({ prefix, signatures, keyOf }: Signed, body: string, secret: string): boolean {
  const expected = createHmac('sha256', keyOf(secret)).update(`${prefix}${body}`).digest();
  return signatures.some(
    (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
  );
}

function secondsOf(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return typeof value === 'string' ? value : value?.[0];
}
