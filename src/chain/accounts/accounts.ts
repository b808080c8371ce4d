import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { getPlanDecoder } from '@solana/subscriptions';
import { AccountState as TokenAccountState } from '@solana-program/token';
import { NO_ADDRESS } from './addresses.ts';
import { addressAt, capped, cappedAt, i64At, termAt, termOf, u32At } from './fields.ts';

export type AccountKind = 'authority' | 'plan' | 'subscription';

/**
 * The first byte of each kind of account and its current length. Later releases of the program may
 * append fields.
 */
const LAYOUTS: Readonly<Record<AccountKind, { discriminator: number; bytes: number }>> = {
  authority: { discriminator: 0, bytes: 106 },
  plan: { discriminator: 1, bytes: 491 },
  subscription: { discriminator: 4, bytes: 155 },
};
const KINDS = Object.entries(LAYOUTS) as [AccountKind, (typeof LAYOUTS)[AccountKind]][];

/** Byte offsets of the fields of a subscription and of an authority. */
export const SUBSCRIPTION_FIELDS = {
  subscriber: 3,
  plan: 35,
  payer: 67,
  initId: 99,
  amount: 107,
  periodHours: 115,
  planCreatedAt: 123,
  pulled: 131,
  periodStart: 139,
  expiresAt: 147,
};
export const AUTHORITY_FIELDS = { user: 1, mint: 33, initId: 98 };
export const TOKEN_ACCOUNT_BYTES = 165;

/** The bytes of an account do not have the expected layout. */
export class AccountLayoutError extends Error {
  override name = 'AccountLayoutError';
}

/** A plan account. Amounts in base units, times in unix seconds. */
export interface PlanAccount {
  readonly owner: Address;
  readonly active: boolean;
  /** Null if it is larger than an id of dues. */
  readonly chainPlanId: bigint | null;
  readonly mint: Address;
  /** Null if it is larger than the price of any plan of dues. */
  readonly amount: bigint | null;
  readonly periodHours: bigint;
  readonly createdAt: bigint;
  /** End of collection; 0 if the plan has no end. */
  readonly endsAt: bigint;
  readonly destinations: readonly Address[];
  readonly pullers: readonly Address[];
  readonly metadataUri: string;
}

/** A subscription account. The terms are those of the plan when the customer subscribed. */
export interface SubscriptionAccount {
  readonly subscriber: Address;
  readonly plan: Address;
  /** The account that paid the rent and gets it back. */
  readonly payer: Address;
  /**
   * Id of the authority that pays. An authority that was closed and created again has another id
   * and does not pay.
   */
  readonly initId: bigint;
  /** Null if it is larger than the price of any plan of dues. */
  readonly amount: bigint | null;
  readonly periodHours: bigint;
  /** Creation time of the plan, which is one of the terms. It is not that of the subscription. */
  readonly planCreatedAt: bigint;
  /**
   * Amount pulled in the period that starts at `periodStart`, which is the last one with a pull.
   */
  readonly pulled: bigint;
  readonly periodStart: bigint;
  /** When the cancellation takes effect; 0 if the subscription is not cancelled. */
  readonly expiresAt: bigint;
}

export interface AuthorityAccount {
  readonly user: Address;
  readonly mint: Address;
  /** The slot in which it was created. */
  readonly initId: bigint;
}

export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  /** At most 2^63 - 1, as are all capped numbers: enough for any payment. */
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** Who may close the account, if it is not the owner. */
  readonly closeAuthority: Address | null;
}

/** The length in bytes of an account of the program, in its current layout. */
export function bytesOf(kind: AccountKind): number {
  return LAYOUTS[kind].bytes;
}

/** The kind of an account of the program; `null` for a kind that dues does not use. */
export function accountKind(data: ReadonlyUint8Array): AccountKind | null {
  for (const [kind, { discriminator, bytes }] of KINDS) {
    if (data[0] === discriminator && data.length >= bytes) return kind;
  }
  return null;
}

/** @throws AccountLayoutError */
export function decodePlan(data: ReadonlyUint8Array): PlanAccount {
  requireLayout('plan', data);
  const { owner, status, data: plan } = getPlanDecoder().decode(data);
  return {
    owner,
    active: status === 1,
    chainPlanId: termOf(plan.planId),
    mint: plan.mint,
    amount: termOf(plan.terms.amount),
    periodHours: capped(plan.terms.periodHours),
    createdAt: plan.terms.createdAt,
    endsAt: plan.endTs,
    destinations: plan.destinations.filter((address) => address !== NO_ADDRESS),
    pullers: plan.pullers.filter((address) => address !== NO_ADDRESS),
    metadataUri: plan.metadataUri,
  };
}

/** @throws AccountLayoutError */
export function decodeSubscription(data: ReadonlyUint8Array): SubscriptionAccount {
  requireLayout('subscription', data);
  const at = SUBSCRIPTION_FIELDS;
  return {
    subscriber: addressAt(data, at.subscriber),
    plan: addressAt(data, at.plan),
    payer: addressAt(data, at.payer),
    initId: i64At(data, at.initId),
    amount: termAt(data, at.amount),
    periodHours: cappedAt(data, at.periodHours),
    planCreatedAt: i64At(data, at.planCreatedAt),
    pulled: cappedAt(data, at.pulled),
    periodStart: i64At(data, at.periodStart),
    expiresAt: i64At(data, at.expiresAt),
  };
}

/** @throws AccountLayoutError */
export function decodeAuthority(data: ReadonlyUint8Array): AuthorityAccount {
  requireLayout('authority', data);
  const at = AUTHORITY_FIELDS;
  return { user: addressAt(data, at.user), mint: addressAt(data, at.mint), initId: i64At(data, at.initId) };
}

/**
 * Decodes an account of either token program: Token-2022 appends its extensions to the same fields.
 * @throws AccountLayoutError
 */
export function decodeTokenAccount(data: ReadonlyUint8Array): TokenAccount {
  if (data.length < TOKEN_ACCOUNT_BYTES) throw tooShort('token account', data, TOKEN_ACCOUNT_BYTES);
  return {
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount: cappedAt(data, 64),
    // A four-byte flag says whether there is a delegate.
    delegate: u32At(data, 72) === 1 ? addressAt(data, 76) : null,
    frozen: data[108] === TokenAccountState.Frozen,
    delegatedAmount: cappedAt(data, 121),
    closeAuthority: u32At(data, 129) === 1 ? addressAt(data, 133) : null,
  };
}

function requireLayout(kind: AccountKind, data: ReadonlyUint8Array): void {
  const { discriminator, bytes } = LAYOUTS[kind];
  if (data.length < bytes) throw tooShort(kind, data, bytes);
  if (data[0] !== discriminator) {
    throw new AccountLayoutError(`Not a ${kind}: the first byte is ${data[0]} instead of ${discriminator}`);
  }
}

function tooShort(kind: string, data: ReadonlyUint8Array, bytes: number): AccountLayoutError {
  return new AccountLayoutError(`Not a ${kind}: ${data.length} bytes are fewer than ${bytes}`);
}
