import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  isSolanaError,
  pipe,
  SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_CANNOT_PAY_FEES,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import { lamportsNeeded } from '../accounts/lamports-needed.ts';
import type { Chain } from '../chain.ts';
import { type BlockhashLifetime, latestBlockhash, simulateWire } from '../rpc/send.ts';
import type { TransactionFailure } from '../rpc/transaction-failure.ts';
import { refusalOfFailure, TransactionRefused } from './transaction-refused.ts';

/**
 * Creates a transaction for a wallet to sign and send, whose fee the wallet pays. It is a legacy
 * message: without lookup tables version 0 adds nothing, and older libraries of Solana Pay read only
 * this.
 *
 * @throws TransactionRefused
 */
export async function unsignedTransaction(
  chain: Chain,
  wallet: Address,
  instructions: readonly Instruction[],
): Promise<Transaction> {
  return compileUnsigned(wallet, instructions, await latestBlockhash(chain));
}

/** The same with a blockhash, and with any payer of the fee. @throws TransactionRefused */
export function compileUnsigned(
  payer: Address,
  instructions: readonly Instruction[],
  lifetime: BlockhashLifetime,
): Transaction {
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (m) => setTransactionMessageFeePayer(payer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  try {
    return compileTransaction(message);
  } catch (error) {
    // The wallet is the address of a program called by an instruction.
    if (isSolanaError(error, SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_CANNOT_PAY_FEES)) {
      throw new TransactionRefused('other');
    }
    throw error;
  }
}

/** Why the chain would refuse the transaction now; `null` means success. */
export async function failureOf(chain: Chain, transaction: Transaction): Promise<TransactionFailure | null> {
  const { err } = await simulateWire(chain, getTransactionEncoder().encode(transaction));
  return err;
}

/**
 * The refusal of a transaction; if SOL is missing, with the lamports needed including new accounts.
 */
export async function refusalFor(
  chain: Chain,
  transaction: Transaction,
  failure: TransactionFailure,
  newAccounts: readonly number[],
): Promise<TransactionRefused> {
  if (refusalOfFailure(failure) !== 'insufficient_sol') return new TransactionRefused(failure);
  return new TransactionRefused(failure, await lamportsNeeded(chain, transaction, newAccounts));
}
