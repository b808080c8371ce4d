import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import {
  type AuthorityAccount,
  bytesOf,
  decodeAuthority,
  TOKEN_ACCOUNT_BYTES,
} from '../accounts/accounts.ts';
import { PROGRAM } from '../accounts/addresses.ts';
import { readAccounts } from '../accounts/read-accounts.ts';
import { type ApprovalAccounts, approvalAddresses, type WalletAsset } from '../accounts/wallet-accounts.ts';
import type { Chain } from '../chain.ts';
import { failureOf, refusalFor, unsignedTransaction } from './unsigned-transaction.ts';

/**
 * A wallet's approval of the program for one token, and the instructions that create or renew it.
 */
export interface Approval {
  readonly authority: Address;
  /** `undefined` if there is none. */
  readonly account: AuthorityAccount | undefined;
  /** The instructions that create the token account, if it is missing, and the approval. */
  readonly instructions: readonly Instruction[];
  /** The size in bytes of each account that the instructions create. */
  readonly newAccounts: readonly number[];
}

/**
 * Bytes that Token-2022 appends to an associated token account: its type and the immutable-owner
 * extension.
 */
const TOKEN_2022_BYTES = 5;

/** Reads the approval. @throws NodeBehind */
export async function readApproval(chain: Chain, asset: WalletAsset): Promise<Approval> {
  const addresses = await approvalAddresses(asset);
  const [authority, tokenAccount] = await readAccounts(
    chain,
    [addresses.authority, addresses.tokenAccount],
    'fields',
  );
  return approvalOf(asset, { authority, tokenAccount });
}

/** The approval, from accounts that were read. */
export async function approvalOf(
  asset: WalletAsset,
  { authority: account, tokenAccount: token }: ApprovalAccounts,
): Promise<Approval> {
  const { subscriber, mint, tokenProgram } = asset;
  const { authority, tokenAccount } = await approvalAddresses(asset);
  const owner = createNoopSigner(subscriber);
  const createTokenAccount = getCreateAssociatedTokenIdempotentInstruction({
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
  const hasTokenAccount = token?.owner === tokenProgram;
  const tokenAccountBytes =
    TOKEN_ACCOUNT_BYTES + (tokenProgram === TOKEN_PROGRAM_ADDRESS ? 0 : TOKEN_2022_BYTES);
  return {
    authority,
    account: isApproved ? decodeAuthority(account.data) : undefined,
    instructions: hasTokenAccount ? [approve] : [createTokenAccount, approve],
    newAccounts: [
      ...(hasTokenAccount ? [] : [tokenAccountBytes]),
      ...(isApproved ? [] : [bytesOf('authority')]),
    ],
  };
}

/**
 * Creates the transaction that renews an approval after another app has replaced it. The renewal
 * restores all subscriptions of the wallet in this token, except those of a closed authority: for
 * these the customer must subscribe again. Unsigned, in base64.
 *
 * @throws TransactionRefused if a simulation shows that the chain would refuse it
 */
export async function repairApprovalTransaction(
  chain: Chain,
  subscriber: Address,
  { instructions, newAccounts }: Approval,
): Promise<string> {
  const transaction = await unsignedTransaction(chain, subscriber, instructions);
  const failure = await failureOf(chain, transaction);
  if (failure) throw await refusalFor(chain, transaction, failure, newAccounts);
  return getBase64EncodedWireTransaction(transaction);
}
