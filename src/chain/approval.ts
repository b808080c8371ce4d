import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { type AuthorityAccount, decodeAuthority } from './accounts.ts';
import { authorityAddress, PROGRAM, tokenAccountAddress } from './addresses.ts';
import type { Chain } from './chain.ts';
import { readAccounts } from './read-accounts.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

/** Whose tokens, and which. */
export interface WalletAsset {
  readonly subscriber: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** A wallet's approval of the program in one asset, and what makes or renews it. */
export interface Approval {
  readonly authority: Address;
  /** `undefined` where there is none (any more). */
  readonly account: AuthorityAccount | undefined;
  /** The token account, where it is missing, and the approval. */
  readonly instructions: readonly Instruction[];
}

export async function readApproval(
  chain: Chain,
  { subscriber, mint, tokenProgram }: WalletAsset,
): Promise<Approval> {
  const [authority, tokenAccount] = await Promise.all([
    authorityAddress(subscriber, mint),
    tokenAccountAddress(subscriber, mint, tokenProgram),
  ]);
  const [account, token] = await readAccounts(chain, [authority, tokenAccount]);
  const owner = createNoopSigner(subscriber);
  const makeTokenAccount = getCreateAssociatedTokenIdempotentInstruction({
    payer: owner,
    ata: tokenAccount,
    owner: subscriber,
    mint,
    tokenProgram,
  });
  const approve = getInitSubscriptionAuthorityInstruction({
    owner,
    subscriptionAuthority: authority,
    tokenMint: mint,
    userAta: tokenAccount,
    tokenProgram,
  });
  return {
    authority,
    account: account?.owner === PROGRAM ? decodeAuthority(account.data) : undefined,
    instructions: token?.owner === tokenProgram ? [approve] : [makeTokenAccount, approve],
  };
}

/**
 * Renews an approval that another app overwrote. It brings all of the wallet's subscriptions in this asset back, but
 * not those of an authority that was closed: their customers have to subscribe again. Unsigned, in base64.
 */
export async function repairApprovalTransaction(chain: Chain, asset: WalletAsset): Promise<string> {
  const { instructions } = await readApproval(chain, asset);
  return getBase64EncodedWireTransaction(await unsignedTransaction(chain, asset.subscriber, instructions));
}
