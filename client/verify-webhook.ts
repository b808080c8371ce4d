import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventData, EventType } from './generated/webhook-events.ts';

/** The body of a webhook. */
export type WebhookEvent = {
  [T in EventType]: {
    /** A UUID. The same webhook may come twice: under the same id. */
    readonly id: string;
    readonly event: T;
    /** When it happened. Milliseconds since 1970. */
    readonly timestamp: number;
    /** +1 per subscription, for telling older from newer; null for an event about none. */
    readonly sequence: number | null;
    readonly data: EventData[T];
  };
}[EventType];

export interface VerifyOptions {
  /** How old, or how far in the future, a webhook may be. Default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** Whoever sent it was not dues, or somebody changed it, or it is an old one again. Answer 401. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * The event that a webhook tells of, once its signature has been found right: `x-webhook-signature`, or, where there is
 * none, that of Standard Webhooks (standardwebhooks.com).
 *
 * `body` is what was received, byte for byte: JSON that was parsed and written again has another signature. `secret` is the
 * endpoint's `whsec_...`; while you change over to a new one, both.
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
  const signed = ours(header) ?? standard(header);
  if (!signed) throw new WebhookSignatureError('The webhook has no signature.');
  if (!(Math.abs(now / 1000 - signed.timestampSeconds) <= toleranceSeconds)) {
    throw new WebhookSignatureError('The webhook is too old, or from the future.');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!secrets.some((each) => isSigned(signed, text, each))) {
    throw new WebhookSignatureError('The signature of the webhook is wrong.');
  }
  return JSON.parse(text) as WebhookEvent;
}

interface Signed {
  readonly timestampSeconds: number;
  /** What stands before the body in what was signed. */
  readonly prefix: string;
  readonly signatures: readonly Buffer[];
  readonly keyOf: (secret: string) => string | Buffer;
}

type Read = (name: string) => string | undefined;

/** `t=<seconds>,v1=<hex>`, more than one `v1` during a rotation; the key is the secret as it stands. */
function ours(header: Read): Signed | undefined {
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

/** `v1,<base64>`, several with a space between; the key is what stands behind `whsec_`, decoded. */
function standard(header: Read): Signed | undefined {
  const [id, timestamp, value] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (id === undefined || timestamp === undefined || value === undefined) return undefined;
  const signatures = value
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice('v1,'.length), 'base64'));
  return {
    timestampSeconds: secondsOf(timestamp),
    prefix: `${id}.${timestamp}.`,
    signatures,
    keyOf: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
  };
}

function isSigned({ prefix, signatures, keyOf }: Signed, body: string, secret: string): boolean {
  const expected = createHmac('sha256', keyOf(secret)).update(`${prefix}${body}`).digest();
  return signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
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
