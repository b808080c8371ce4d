import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { encodeBase58 } from '../../../base58/base58.ts';
import { keepNewest } from '../../async/keep-newest.ts';
import {
  type AccountKind,
  AccountLayoutError,
  AUTHORITY_FIELDS,
  accountKind,
  SUBSCRIPTION_FIELDS,
} from './accounts.ts';
import { i64At } from './fields.ts';

// Reads single fields of an account in place. `decodeSubscription` and the like take ten times as
// long, mostly to encode addresses that the mirror does not need, and thousands of accounts arrive
// per second.

export interface SubscriptionFacts {
  readonly plan: Address;
  readonly initId: bigint;
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
    plan: planAt(data, SUBSCRIPTION_FIELDS.plan),
    initId: i64At(data, SUBSCRIPTION_FIELDS.initId),
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

const plans = new Map<string, Address>();

function planAt({ buffer, byteOffset }: ReadonlyUint8Array, at: number): Address {
  const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset + at, ADDRESS_BYTES);
  const key = bytes.toString('latin1');
  const kept = plans.get(key);
  if (kept) return kept;
  const plan = encodeBase58(bytes) as Address;
  keepNewest(plans, key, plan, MAX_CACHED);
  return plan;
}
