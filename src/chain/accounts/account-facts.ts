import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { keepNewest } from '../../async/keep-newest.ts';
import { encodeBase58 } from '../../base58/base58.ts';
import {
  type AccountKind,
  AccountLayoutError,
  AUTHORITY_FIELDS,
  accountKind,
  SUBSCRIPTION_FIELDS,
} from './accounts.ts';
import { cappedAt, i64At } from './fields.ts';

// Reads single fields of an account in place, because thousands of accounts arrive per second.
// `decodeSubscription` and `decodeAuthority` take ten times as long, mostly to encode addresses
// that the mirror does not need.

export interface SubscriptionFacts {
  readonly plan: Address;
  readonly initId: bigint;
  readonly pulled: bigint;
  readonly periodStart: bigint;
  readonly expiresAt: bigint;
}

export interface AuthorityFacts {
  readonly initId: bigint;
}

const ADDRESS_BYTES = 32;
/** Maximum cached plan addresses: thousands of subscriptions name the same few plans. */
const MAX_CACHED = 10_000;

/** @throws AccountLayoutError */
export function subscriptionFacts(data: ReadonlyUint8Array): SubscriptionFacts {
  requireKind('subscription', data);
  return {
    plan: readPlan(data, SUBSCRIPTION_FIELDS.plan),
    initId: i64At(data, SUBSCRIPTION_FIELDS.initId),
    pulled: cappedAt(data, SUBSCRIPTION_FIELDS.pulled),
    periodStart: i64At(data, SUBSCRIPTION_FIELDS.periodStart),
    expiresAt: i64At(data, SUBSCRIPTION_FIELDS.expiresAt),
  };
}

/** @throws AccountLayoutError */
export function authorityFacts(data: ReadonlyUint8Array): AuthorityFacts {
  requireKind('authority', data);
  return { initId: i64At(data, AUTHORITY_FIELDS.initId) };
}

function requireKind(kind: AccountKind, data: ReadonlyUint8Array): void {
  if (accountKind(data) === kind) return;
  throw new AccountLayoutError(`Not a ${kind}: ${data.length} bytes, the first one ${data[0]}`);
}

const planCache = new Map<string, Address>();

function readPlan({ buffer, byteOffset }: ReadonlyUint8Array, at: number): Address {
  const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset + at, ADDRESS_BYTES);
  const key = bytes.toString('latin1');
  const cached = planCache.get(key);
  if (cached) return cached;
  const plan = encodeBase58(bytes) as Address;
  keepNewest(planCache, key, plan, MAX_CACHED);
  return plan;
}
