import type { Address, ReadonlyUint8Array } from '@solana/kit';
import bs58 from 'bs58';
import { type AccountKind, AccountLayoutError, accountKind } from './accounts.ts';

// A few fields of an account, read where they stand. `decodeSubscription` and the like take ten times as long, most of it
// for spelling addresses that a mirror does not ask for, and thousands of accounts come a second.

export interface SubscriptionFacts {
  readonly subscriber: Address;
  readonly plan: Address;
  readonly initId: bigint;
  readonly periodStart: bigint;
  readonly expiresAt: bigint;
}

export interface AuthorityFacts {
  readonly user: Address;
  readonly mint: Address;
  readonly initId: bigint;
}

const SUBSCRIPTION = { subscriber: 3, plan: 35, initId: 99, periodStart: 139, expiresAt: 147 };
const AUTHORITY = { user: 1, mint: 33, initId: 98 };
const ADDRESS_BYTES = 32;

/** @throws AccountLayoutError */
export function subscriptionFacts(data: ReadonlyUint8Array): SubscriptionFacts {
  requireKind('subscription', data);
  return {
    subscriber: addressAt(data, SUBSCRIPTION.subscriber),
    plan: addressAt(data, SUBSCRIPTION.plan),
    initId: numberAt(data, SUBSCRIPTION.initId),
    periodStart: numberAt(data, SUBSCRIPTION.periodStart),
    expiresAt: numberAt(data, SUBSCRIPTION.expiresAt),
  };
}

/** @throws AccountLayoutError */
export function authorityFacts(data: ReadonlyUint8Array): AuthorityFacts {
  requireKind('authority', data);
  return {
    user: addressAt(data, AUTHORITY.user),
    mint: addressAt(data, AUTHORITY.mint),
    initId: numberAt(data, AUTHORITY.initId),
  };
}

function requireKind(kind: AccountKind, data: ReadonlyUint8Array): void {
  if (accountKind(data) === kind) return;
  throw new AccountLayoutError(`Not a ${kind}: ${data.length} bytes, the first one ${data[0]}`);
}

function addressAt({ buffer, byteOffset }: ReadonlyUint8Array, at: number): Address {
  return bs58.encode(new Uint8Array(buffer as ArrayBuffer, byteOffset + at, ADDRESS_BYTES)) as Address;
}

function numberAt({ buffer, byteOffset, byteLength }: ReadonlyUint8Array, at: number): bigint {
  return new DataView(buffer, byteOffset, byteLength).getBigInt64(at, true);
}
