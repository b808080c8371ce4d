import type { Address, ProgramDerivedAddress } from '@solana/kit';
import {
  findPlanPda,
  findSubscriptionAuthorityPda,
  findSubscriptionDelegationPda,
  SUBSCRIPTIONS_PROGRAM_ADDRESS,
} from '@solana/subscriptions';
import { findAssociatedTokenPda } from '@solana-program/token';
import { keepNewest } from '../../async/keep-newest.ts';

/** The Subscriptions & Allowances program; the same address on every cluster. */
export const PROGRAM = SUBSCRIPTIONS_PROGRAM_ADDRESS;
/**
 * PDA of the program (seed "event_authority") that signs every event, so that no other program can
 * emit one.
 */
export const EVENT_AUTHORITY = '3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7' as Address;
/** The value of an unused entry in a plan's lists. */
export const NO_ADDRESS = '11111111111111111111111111111111' as Address;

/** Maximum addresses that are remembered. */
const MAX_REMEMBERED = 10_000;
const remembered = new Map<string, Promise<ProgramDerivedAddress>>();

/**
 * Derives an address once. A derivation hashes until the result is no valid key, and a checkout needs
 * the same addresses several times.
 */
function derivedOnce(
  seeds: readonly (string | bigint)[],
  derive: () => Promise<ProgramDerivedAddress>,
): Promise<ProgramDerivedAddress> {
  const key = seeds.join(' ');
  const known = remembered.get(key);
  if (known) return known;
  const derived = derive();
  keepNewest(remembered, key, derived, MAX_REMEMBERED);
  derived.catch(() => remembered.delete(key));
  return derived;
}

/** A plan's PDA and its bump, which the subscribe instruction needs. */
export function planPda(owner: Address, chainPlanId: bigint): Promise<ProgramDerivedAddress> {
  return derivedOnce(['plan', owner, chainPlanId], () => findPlanPda({ owner, planId: chainPlanId }));
}

export async function planAddress(owner: Address, chainPlanId: bigint): Promise<Address> {
  const [address] = await planPda(owner, chainPlanId);
  return address;
}

export async function subscriptionAddress(plan: Address, subscriber: Address): Promise<Address> {
  const [address] = await derivedOnce(['subscription', plan, subscriber], () =>
    findSubscriptionDelegationPda({ planPda: plan, subscriber }),
  );
  return address;
}

/** The address of the authority: the delegate through which a wallet pays in one token. */
export async function authorityAddress(user: Address, mint: Address): Promise<Address> {
  const [address] = await derivedOnce(['authority', user, mint], () =>
    findSubscriptionAuthorityPda({ user, tokenMint: mint }),
  );
  return address;
}

/** The associated token account, the only one that the program pulls from. */
export async function tokenAccountAddress(
  owner: Address,
  mint: Address,
  tokenProgram: Address,
): Promise<Address> {
  const [address] = await tokenAccountPda(owner, mint, tokenProgram);
  return address;
}

/** The associated token account and its bump. */
export function tokenAccountPda(
  owner: Address,
  mint: Address,
  tokenProgram: Address,
): Promise<ProgramDerivedAddress> {
  return derivedOnce(['token account', owner, mint, tokenProgram], () =>
    findAssociatedTokenPda({ owner, mint, tokenProgram }),
  );
}
