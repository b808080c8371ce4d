import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { AccountLayoutError, decodeTokenAccount } from './accounts.ts';
import { authorityAddress } from './addresses.ts';

/** The amount that can be collected from a token account, and its authority. */
export interface Collectable {
  /** In base units. */
  readonly amount: bigint;
  /** Null if nothing can be collected. */
  readonly authority: Address | null;
}

/**
 * The amount that could be pulled: the balance or, if less, the approved amount. 0 if the account
 * is frozen, or if the delegate is not its owner's subscription authority.
 */
export async function collectableOf(data: ReadonlyUint8Array): Promise<Collectable> {
  const nothing: Collectable = { amount: 0n, authority: null };
  try {
    const { owner, mint, amount, delegate, delegatedAmount, frozen } = decodeTokenAccount(data);
    if (frozen || !delegate || delegate !== (await authorityAddress(owner, mint))) return nothing;
    if (delegatedAmount < amount) return { amount: delegatedAmount, authority: delegate };
    return { amount, authority: delegate };
  } catch (error) {
    // The account is closed, so it is no longer a token account.
    if (error instanceof AccountLayoutError) return nothing;
    throw error;
  }
}
