import { createHash } from 'node:crypto';
import { invalidRequest } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { MAX_CUSTOMER_ID } from '../../accounts/customer/customers-named.ts';
import { validIdempotencyKey } from '../../kernel/input/idempotency-key.ts';
import { isStorable, validAddress, validEmail, validText, validUrl } from '../../kernel/input/valid-text.ts';

const MAX_PRICE_ID = 36;
const MAX_DISCOUNT_ID = 36;
const MAX_METADATA_BYTES = 8 * 1024;
const MAX_METADATA_DEPTH = 16;

export interface CheckoutRequest {
  /** If given, it must be the merchant's wallet. */
  readonly merchantWallet?: string | undefined;
  /** The merchant's id of an active plan. */
  readonly planId: string;
  /** Our id of one of the plan's prices; default: the current one. */
  readonly priceId?: string | undefined;
  /** Our id of a discount, which the customer gets without a code. */
  readonly discountId?: string | undefined;
  /** Whether the customer may enter a code; default: no. */
  readonly allowsCodes?: boolean | undefined;
  readonly customerEmail: string;
  /** The merchant's id of the customer. */
  readonly customerId?: string | undefined;
  readonly successUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
  /** A JSON object, part of all webhooks about the session's subscription. */
  readonly metadata?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/**
 * @throws BillingError invalid_request, with the param names of the API, for example
 *   `idempotency_key`
 */
export function validRequest(request: CheckoutRequest) {
  const {
    merchantWallet,
    planId,
    priceId,
    discountId,
    allowsCodes,
    customerEmail,
    customerId,
    successUrl,
    cancelUrl,
    idempotencyKey,
  } = request;
  if (merchantWallet !== undefined) validAddress('merchantWallet', merchantWallet);
  if (idempotencyKey !== undefined) validIdempotencyKey('idempotency_key', idempotencyKey);
  return {
    planId,
    ...(priceId !== undefined && { priceId: validText('priceId', priceId, MAX_PRICE_ID) }),
    ...(discountId !== undefined && { discountId: validText('discountId', discountId, MAX_DISCOUNT_ID) }),
    ...(allowsCodes && { allowsCodes }),
    customerEmail: validEmail('customerEmail', customerEmail),
    customerId: customerId === undefined ? null : validText('customerId', customerId, MAX_CUSTOMER_ID),
    successUrl: successUrl === undefined ? null : validUrl('successUrl', successUrl),
    cancelUrl: cancelUrl === undefined ? null : validUrl('cancelUrl', cancelUrl),
    metadata: validMetadata(request.metadata ?? {}),
  };
}

export type ValidRequest = ReturnType<typeof validRequest>;

/**
 * A hash that identifies the request, independent of the order of fields and of metadata keys. The
 * merchant's wallet is left out, because it can have only one value.
 */
export function fingerprintOf(request: ValidRequest): Buffer<ArrayBuffer> {
  return createHash('sha256')
    .update(JSON.stringify(canonical(request)))
    .digest();
}

/** @throws BillingError invalid_request, param `metadata` */
export function validMetadata(metadata: unknown): Prisma.InputJsonObject {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw invalidRequest('metadata', 'metadata must be a JSON object.');
  }
  requireJson(metadata, MAX_METADATA_DEPTH);
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw invalidRequest('metadata', `metadata must be at most ${MAX_METADATA_BYTES} bytes of JSON.`);
  }
  return metadata as Prisma.InputJsonObject;
}

function requireJson(value: unknown, depth: number): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value === 'string' && isStorable(value)) return;
  if (typeof value !== 'object') {
    throw invalidRequest('metadata', 'metadata must be JSON: no NUL or broken text, no NaN or Infinity.');
  }
  if (depth === 0) {
    throw invalidRequest('metadata', `metadata must be at most ${MAX_METADATA_DEPTH} levels deep.`);
  }
  for (const [key, member] of Object.entries(value)) {
    // Many programs drop this key or use it as the prototype, so the merchant would not get it
    // back.
    if (key === '__proto__') throw invalidRequest('metadata', 'metadata must not have a key __proto__.');
    requireJson(key, depth);
    requireJson(member, depth - 1);
  }
}

// Objects become sorted pairs, so that the order of keys does not matter and no key has a special
// meaning.
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ['array', ...value.map(canonical)];
  const pairs = Object.entries(value).map(([key, member]) => [key, canonical(member)] as const);
  return ['object', ...pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))];
}
