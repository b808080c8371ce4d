import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { type AuthorityAccount, bytesOf, decodeAuthority, TOKEN_ACCOUNT_BYTES } from './accounts.ts';
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
  /** Bytes of each account that they make. */
  readonly newAccounts: readonly number[];
}

/** What a token account of Token-2022 has behind the fields of the first program: its type, and that its owner stays. */
const TOKEN_2022_BYTES = 5;

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
  const isApproved = account?.owner === PROGRAM;
  const hasTokens = token?.owner === tokenProgram;
  const tokenAccountBytes =
    TOKEN_ACCOUNT_BYTES + (tokenProgram === TOKEN_PROGRAM_ADDRESS ? 0 : TOKEN_2022_BYTES);
  return {
    authority,
    account: isApproved ? decodeAuthority(account.data) : undefined,
    instructions: hasTokens ? [approve] : [makeTokenAccount, approve],
    newAccounts: [...(hasTokens ? [] : [tokenAccountBytes]), ...(isApproved ? [] : [bytesOf('authority')])],
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
