import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  type TransactionPartialSigner,
} from '@solana/kit';
import { getTransferSubscriptionInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { EVENT_AUTHORITY } from './addresses.ts';
import type { Pull } from './pulls.ts';

/** The newest kind of message that a cluster takes. */
export type PullVersion = 1 | 0 | 'legacy';

/** What a transaction may use and pays for it. */
export interface ComputeTerms {
  readonly computeUnits: number;
  /** Micro-lamports a compute unit. */
  readonly price: bigint;
}

/** All accounts and programs that are loaded; Token-2022 alone has more than a megabyte. Costs no fee. */
const LOADED_ACCOUNTS_BYTES = 8 * 1024 * 1024;
const MICRO_LAMPORTS = 1_000_000n;

/**
 * What a transaction of these pulls does: receivers' token accounts that are missing are made first, at the collector's
 * cost, then pull after pull.
 */
export function pullInstructions(
  collector: TransactionPartialSigner,
  pulls: readonly Pull[],
): { readonly instructions: readonly Instruction[]; readonly firstPull: number } {
  const missing = new Map(
    pulls.flatMap((pull) => (pull.receiverIsMissing ? [[pull.receiverTokenAccount, pull] as const] : [])),
  );
  const makes = [...missing.values()].map(({ receiver, receiverTokenAccount, mint, tokenProgram }) =>
    getCreateAssociatedTokenIdempotentInstruction({
      ...{ payer: collector, owner: receiver, ata: receiverTokenAccount, mint, tokenProgram },
    }),
  );
  const instructions = [...makes, ...pulls.map((pull) => pullInstruction(pull, collector))];
  return { instructions, firstPull: makes.length };
}

/** The message, but for its blockhash. */
export function pullMessage(
  collector: TransactionPartialSigner,
  instructions: readonly Instruction[],
  version: PullVersion,
  { computeUnits, price }: ComputeTerms,
) {
  if (version === 1) {
    const priorityFeeLamports = (price * BigInt(computeUnits) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
    // Limits are 0 in a version 1 message that does not set them.
    const limits = { computeUnitLimit: computeUnits, loadedAccountsDataSizeLimit: LOADED_ACCOUNTS_BYTES };
    return pipe(
      createTransactionMessage({ version: 1 }),
      (m) =>
        setTransactionMessageConfig(
          priorityFeeLamports > 0n ? { ...limits, priorityFeeLamports } : limits,
          m,
        ),
      (m) => setTransactionMessageFeePayerSigner(collector, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
  }
  return pipe(
    // Both have the same parts here: no lookup tables are used.
    createTransactionMessage({ version: version as 0 }),
    (m) => setTransactionMessageFeePayerSigner(collector, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
    // Instructions of their own, behind the pulls: what an error names is a pull's place.
    (m) => setTransactionMessageComputeUnitLimit(computeUnits, m),
    (m) => (price > 0n ? setTransactionMessageComputeUnitPrice(price, m) : m),
  );
}

function pullInstruction(pull: Pull, collector: TransactionPartialSigner): Instruction {
  return getTransferSubscriptionInstruction({
    subscriptionPda: pull.subscription,
    planPda: pull.plan,
    subscriptionAuthority: pull.authority,
    delegatorAta: pull.payerTokenAccount,
    receiverAta: pull.receiverTokenAccount,
    caller: collector,
    tokenMint: pull.mint,
    tokenProgram: pull.tokenProgram,
    eventAuthority: EVENT_AUTHORITY,
    transferData: { amount: pull.amount, delegator: pull.payer, mint: pull.mint },
  });
}
