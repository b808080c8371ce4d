// A block limits what may write one account, so a merchant may receive a token in several accounts. The
// program checks only who owns the account that receives a pull. All their addresses are derived from the
// merchant's wallet, so that nothing can lead dues to another account, and everybody can derive them:
// `solana create-address-with-seed --from <wallet> <seed> <token program>`.

import { type Address, createAddressWithSeed } from '@solana/kit';
import { AccountLayoutError, decodeTokenAccount } from './accounts.ts';
import { tokenAccountAddress } from './addresses.ts';
import type { ChainAccount } from './read-accounts.ts';
import { isConfidentialOnly, requiresMemo } from './token-extensions.ts';

/** Maximum accounts in which a merchant receives a token. The associated account is the first. */
export const MAX_RECEIVING_ACCOUNTS = 8;
/**
 * Characters of the mint in a seed, which has at most 32. An account of another mint at the address would
 * not be used.
 */
const MINT_CHARACTERS = 24;

/** A token that a wallet receives. */
export interface ReceivedAsset {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The seed of account `number`, from 2 on. */
export function receivingSeed(mint: Address, number: number): string {
  return `dues-${number}-${mint.slice(0, MINT_CHARACTERS)}`;
}

/** The addresses of the accounts 1 to `count`. */
export function receivingAddresses(
  { owner, mint, tokenProgram }: ReceivedAsset,
  count: number,
): Promise<Address[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      index === 0
        ? tokenAccountAddress(owner, mint, tokenProgram)
        : createAddressWithSeed({
            baseAddress: owner,
            programAddress: tokenProgram,
            seed: receivingSeed(mint, index + 1),
          }),
    ),
  );
}

/** Why the associated account, if it exists, accepts no payments. */
export type Refusal = 'frozen' | 'requires_memo' | 'confidential' | 'unreadable';
/** Why dues pays nothing into an account. Only the associated one may have a delegate or a close authority. */
export type Obstacle = Refusal | 'missing' | 'other_owner' | 'has_delegate' | 'has_close_authority';

/** The reason why a token account accepts no payments; null if it accepts them. */
export function refusalOf({ data, isLonger }: Pick<ChainAccount, 'data' | 'isLonger'>): Refusal | null {
  // The extensions of a token account have fixed lengths, so only a later release makes it longer.
  if (isLonger) return 'unreadable';
  try {
    if (decodeTokenAccount(data).frozen) return 'frozen';
    if (requiresMemo(data)) return 'requires_memo';
    return isConfidentialOnly(data) ? 'confidential' : null;
  } catch (error) {
    if (!(error instanceof AccountLayoutError)) throw error;
    return 'unreadable';
  }
}

/** The reason why dues pays nothing into account `number`, as it was read; null if it may pay. */
export function obstacleTo(
  account: ChainAccount | undefined,
  { owner, mint, tokenProgram }: ReceivedAsset,
  number: number,
): Obstacle | null {
  if (account?.owner !== tokenProgram) return 'missing';
  const refusal = refusalOf(account);
  if (refusal) return refusal;
  const found = decodeTokenAccount(account.data);
  if (found.mint !== mint) return 'unreadable';
  // Its owner may have given it away, and the program pays nothing into it.
  if (found.owner !== owner) return 'other_owner';
  // The associated account is used for other things, too.
  if (number === 1) return null;
  // Somebody else may empty or close it.
  if (found.delegate !== null) return 'has_delegate';
  return found.closeAuthority === null ? null : 'has_close_authority';
}
