// A transaction with which a wallet without SOL subscribes: the collector pays the fee and the rent
// of the new accounts: the subscription and, if it is missing, the authority. The collector signs
// first, so the message is fixed before the customer sees it. This file makes sure that the
// transaction contains nothing else and costs nothing more.
import {
  type AccountMeta,
  AccountRole,
  type Address,
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  type Instruction,
  type Signature,
  type Transaction,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { z } from 'zod';
import { bytesOf } from '../accounts/accounts.ts';
import { planPda, subscriptionAddress } from '../accounts/addresses.ts';
import { type NetworkCosts, networkCosts } from '../accounts/lamports-needed.ts';
import type { Chain } from '../chain.ts';
import { callAsOf, contextSlot } from '../rpc/as-of.ts';
import { latestBlockhash } from '../rpc/send.ts';
import type { Approval } from './approval.ts';
import { type SubscribeTerms, subscribeInstruction } from './checkout-transactions.ts';
import { memoInstruction } from './memo.ts';
import { compileUnsigned } from './unsigned-transaction.ts';

/** Why the collector does not pay for a wallet. */
export type SponsorRefusal =
  /** The wallet has no account of the token. Its rent would be returned to the wallet. */
  | 'no_token_account'
  | 'would_fail'
  /** The simulation spends the collector's SOL on something else, or cannot be read. */
  | 'unexpected_spending';

export class NotSponsorable extends Error {
  override name = 'NotSponsorable';
  readonly refusal: SponsorRefusal;

  constructor(refusal: SponsorRefusal, detail = '') {
    super(detail === '' ? refusal : `${refusal}: ${detail}`);
    this.refusal = refusal;
  }
}

/** A simulated, unsigned transaction. */
export interface SponsoredTransaction {
  readonly transaction: Transaction;
  /** The height of the last block in which it can land. */
  readonly lastValidBlockHeight: bigint;
  /** The costs that the collector pays. */
  readonly costs: NetworkCosts;
}

/**
 * Builds and simulates the transaction: the approval, the subscription and the memo.
 *
 * @throws NotSponsorable
 */
export async function sponsoredSubscription(
  chain: Chain,
  terms: SubscribeTerms & { readonly memo: string },
  approval: Approval,
): Promise<SponsoredTransaction> {
  const { subscriber, merchant, chainPlanId, memo } = terms;
  const sponsor = chain.collector.address;
  const [[plan, planBump], lifetime] = await Promise.all([
    planPda(merchant, chainPlanId),
    latestBlockhash(chain),
  ]);
  const [approve, ...more] = approval.instructions;
  if (!approve || more.length > 0) throw new NotSponsorable('no_token_account');
  const subscribe = await subscribeInstruction(terms, plan, planBump, approval);
  const instructions = [
    approval.account ? approve : withRentPayer(approve, sponsor),
    withRentPayer(subscribe, sponsor),
    memoInstruction(memo),
  ];
  const transaction = compileUnsigned(sponsor, instructions, lifetime);
  assertContains(transaction, { signers: [sponsor, subscriber], instructions });
  const costs = await networkCosts(chain, transaction, [...approval.newAccounts, bytesOf('subscription')]);
  const created = [approval.authority, await subscriptionAddress(plan, subscriber)];
  const spent = spentBy(sponsor, created, await simulatedCalls(chain, transaction));
  if (spent > costs.deposits) throw new NotSponsorable('unexpected_spending', `${spent} lamports`);
  return { transaction, lastValidBlockHeight: lifetime.lastValidBlockHeight, costs };
}

/**
 * Signs the transaction as the collector. Returns it in base64, with the collector's signature,
 * which identifies it.
 */
export async function signAsSponsor(
  { collector }: Pick<Chain, 'collector'>,
  transaction: Transaction,
): Promise<{ readonly wire: Base64EncodedWireTransaction; readonly signature: Signature }> {
  const [collectorSignatures] = await collector.signTransactions([
    transaction as Parameters<typeof collector.signTransactions>[0][number],
  ]);
  const signed: Transaction = {
    ...transaction,
    signatures: { ...transaction.signatures, ...collectorSignatures },
  };
  return { wire: getBase64EncodedWireTransaction(signed), signature: getSignatureFromTransaction(signed) };
}

/** Appends the account that pays the rent to the required accounts of an instruction. */
function withRentPayer(instruction: Instruction, payer: Address): Instruction {
  const meta: AccountMeta = { address: payer, role: AccountRole.WRITABLE_SIGNER };
  return { ...instruction, accounts: [...(instruction.accounts ?? []), meta] };
}

/**
 * Checks that the bytes to sign contain exactly the expected signers, programs, accounts and data.
 */
function assertContains(
  { messageBytes }: Transaction,
  expectedContents: { readonly signers: readonly Address[]; readonly instructions: readonly Instruction[] },
): void {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { staticAccounts, header } = message;
  if (message.version !== 'legacy') throw new Error('A sponsored transaction must be a legacy message');
  const found = {
    signers: staticAccounts.slice(0, header.numSignerAccounts),
    calls: message.instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
      program: staticAccounts[programAddressIndex],
      accounts: accountIndices.map((index) => staticAccounts[index]),
      data: [...data],
    })),
  };
  const expected = {
    signers: expectedContents.signers,
    calls: expectedContents.instructions.map(({ programAddress, accounts = [], data = [] }) => ({
      program: programAddress,
      accounts: accounts.map(({ address }) => address),
      data: [...data],
    })),
  };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error('The compiled transaction differs from its instructions');
  }
}

const innerCall = z.object({
  programId: z.string(),
  parsed: z
    .object({ type: z.string(), info: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
});
const innerCalls = z.array(z.object({ instructions: z.array(innerCall) }));
type InnerCall = z.infer<typeof innerCall>;

/**
 * The calls between programs in a simulation of the transaction.
 *
 * @throws NotSponsorable if the simulation fails or does not show them
 */
async function simulatedCalls(chain: Chain, transaction: Transaction): Promise<InnerCall[]> {
  const wire = getBase64EncodedWireTransaction(transaction);
  const { value } = await callAsOf(
    chain,
    (config) =>
      chain.rpc
        .simulateTransaction(wire, {
          commitment: 'confirmed',
          encoding: 'base64',
          innerInstructions: true,
          replaceRecentBlockhash: true,
          sigVerify: false,
          ...config,
        })
        .send(),
    contextSlot,
  );
  if (value.err) throw new NotSponsorable('would_fail');
  const parsed = innerCalls.safeParse(value.innerInstructions);
  if (!parsed.success) throw new NotSponsorable('unexpected_spending', 'the node shows no inner calls');
  return parsed.data.flatMap(({ instructions }) => instructions);
}

/**
 * Lamports that the sponsor spends on the created accounts. Only the system program can take
 * lamports from the sponsor's account, so every other call of that program that names the sponsor
 * is refused.
 *
 * @throws NotSponsorable
 */
function spentBy(sponsor: Address, created: readonly Address[], calls: readonly InnerCall[]): bigint {
  let spent = 0n;
  for (const { programId, parsed } of calls) {
    if (programId !== SYSTEM_PROGRAM_ADDRESS) continue;
    if (!parsed) throw new NotSponsorable('unexpected_spending', 'a call cannot be read');
    const { type, info } = parsed;
    if (!Object.values(info).includes(sponsor)) continue;
    const receiver = { createAccount: info.newAccount, transfer: info.destination }[type];
    if (info.source !== sponsor || !created.some((address) => address === receiver)) {
      throw new NotSponsorable('unexpected_spending', type);
    }
    spent += BigInt(info.lamports as bigint | number);
  }
  return spent;
}
