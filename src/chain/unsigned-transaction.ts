import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import type { Chain } from './chain.ts';
import { lamportsNeeded } from './lamports-needed.ts';
import { latestBlockhash, simulateWire } from './send.ts';
import type { TransactionFailure } from './transaction-failure.ts';
import { refusalOf, TransactionRefused } from './transaction-refused.ts';

/** A transaction for somebody's wallet to sign and send: version 0, which every wallet reads, the wallet pays the fee. */
export async function unsignedTransaction(
  chain: Chain,
  wallet: Address,
  instructions: readonly Instruction[],
): Promise<Transaction> {
  const lifetime = await latestBlockhash(chain);
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(wallet, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return compileTransaction(message);
}

/** Why the chain would refuse it now; `null` is success. */
export async function failureOf(chain: Chain, transaction: Transaction): Promise<TransactionFailure | null> {
  const { err } = await simulateWire(chain, getTransactionEncoder().encode(transaction));
  return err;
}

/** Says why the chain would refuse it; where SOL is missing, how much it takes with the accounts that it makes. */
export async function refusalFor(
  chain: Chain,
  transaction: Transaction,
  failure: TransactionFailure,
  newAccounts: readonly number[],
): Promise<TransactionRefused> {
  if (refusalOf(failure) !== 'insufficient_sol') return new TransactionRefused(failure);
  return new TransactionRefused(failure, await lamportsNeeded(chain, transaction, newAccounts));
}
