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
 * Creates a transaction that a wallet signs and sends, and whose fee it pays. It is a legacy
 * message: version 0 adds only lookup tables, and older libraries of Solana Pay read only legacy
 * messages.
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

/**
 * Compiles a legacy transaction with the given fee payer and blockhash.
 *
 * @throws TransactionRefused
 */
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
    // The wallet address is that of a program that an instruction calls.
    if (isSolanaError(error, SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_CANNOT_PAY_FEES)) {
      throw new TransactionRefused('other');
    }
    throw error;
  }
}

/** Simulates the transaction and returns why the chain would refuse it; `null` means success. */
export async function failureOf(chain: Chain, transaction: Transaction): Promise<TransactionFailure | null> {
  const { err } = await simulateWire(chain, getTransactionEncoder().encode(transaction));
  return err;
}

/**
 * Creates the refusal of a transaction. If SOL is missing, it has the lamports that the wallet
 * needs, with the rent of the new accounts.
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
