import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { getPlanDecoder } from '@solana/subscriptions';
import { AccountState as TokenAccountState } from '@solana-program/token';
import { NO_ADDRESS } from './addresses.ts';
import { addressAt, i64At, u32At, u64At } from './fields.ts';

export type AccountKind = 'authority' | 'plan' | 'subscription';

/** The first byte of an account, and today's length. Later releases of the program may add fields behind. */
const LAYOUTS: Readonly<Record<AccountKind, { discriminator: number; bytes: number }>> = {
  authority: { discriminator: 0, bytes: 106 },
  plan: { discriminator: 1, bytes: 491 },
  subscription: { discriminator: 4, bytes: 155 },
};
const KINDS = Object.entries(LAYOUTS) as [AccountKind, (typeof LAYOUTS)[AccountKind]][];

/** Where the fields of a subscription begin, and those of an authority. */
export const SUBSCRIPTION_FIELDS = {
  ...{ subscriber: 3, plan: 35, payer: 67, initId: 99, amount: 107, periodHours: 115, planCreatedAt: 123 },
  ...{ pulled: 131, periodStart: 139, expiresAt: 147 },
};
export const AUTHORITY_FIELDS = { user: 1, mint: 33, initId: 98 };
export const TOKEN_ACCOUNT_BYTES = 165;

/** Bytes that are not what they were read as. */
export class AccountLayoutError extends Error {
  override name = 'AccountLayoutError';
}

/** A plan as the chain has it. Money in base units, times in unix seconds. */
export interface PlanAccount {
  readonly owner: Address;
  readonly active: boolean;
  readonly chainPlanId: bigint;
  readonly mint: Address;
  readonly amount: bigint;
  readonly periodHours: bigint;
  readonly createdAt: bigint;
  /** Collects nothing after it; 0 where it has no end. */
  readonly endsAt: bigint;
  readonly destinations: readonly Address[];
  readonly pullers: readonly Address[];
  readonly metadataUri: string;
}

/** One life of a subscription. The terms are the plan's as they were agreed to. */
export interface SubscriptionAccount {
  readonly subscriber: Address;
  readonly plan: Address;
  /** Paid the account's rent, and gets it back. */
  readonly payer: Address;
  /** The authority that it may pay through: a re-made one has another number and pays nothing. */
  readonly initId: bigint;
  readonly amount: bigint;
  readonly periodHours: bigint;
  /** Creation time of the *plan*, part of the terms: not the subscription's own. */
  readonly planCreatedAt: bigint;
  /** Of the period that starts at `periodStart`, which is the last one that anything was collected in. */
  readonly pulled: bigint;
  readonly periodStart: bigint;
  /** Cancelled as of then; 0 where it is not cancelled. */
  readonly expiresAt: bigint;
}

export interface AuthorityAccount {
  readonly user: Address;
  readonly mint: Address;
  /** The slot that it was made in. */
  readonly initId: bigint;
}

export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
}

/** How long the program makes an account today. */
export function bytesOf(kind: AccountKind): number {
  return LAYOUTS[kind].bytes;
}

/** Which of the accounts that dues uses these bytes of the program are; `null` for its other ones. */
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
    chainPlanId: plan.planId,
    mint: plan.mint,
    amount: plan.terms.amount,
    periodHours: plan.terms.periodHours,
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
    amount: u64At(data, at.amount),
    periodHours: u64At(data, at.periodHours),
    planCreatedAt: i64At(data, at.planCreatedAt),
    pulled: u64At(data, at.pulled),
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

/** Of either token program: Token-2022 keeps its extensions behind the same fields. @throws AccountLayoutError */
export function decodeTokenAccount(data: ReadonlyUint8Array): TokenAccount {
  if (data.length < TOKEN_ACCOUNT_BYTES) throw tooShort('token account', data, TOKEN_ACCOUNT_BYTES);
  return {
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount: u64At(data, 64),
    // Whether there is one is a number of four bytes.
    delegate: u32At(data, 72) === 1 ? addressAt(data, 76) : null,
    frozen: data[108] === TokenAccountState.Frozen,
    delegatedAmount: u64At(data, 121),
  };
}

function requireLayout(kind: AccountKind, data: ReadonlyUint8Array): void {
  const { discriminator, bytes } = LAYOUTS[kind];
  if (data.length < bytes) throw tooShort(kind, data, bytes);
  if (data[0] !== discriminator) {
    throw new AccountLayoutError(`Not a ${kind}: the first byte is ${data[0]} instead of ${discriminator}`);
  }
}

function tooShort(what: string, data: ReadonlyUint8Array, bytes: number): AccountLayoutError {
  return new AccountLayoutError(`Not a ${what}: ${data.length} bytes are fewer than ${bytes}`);
}
