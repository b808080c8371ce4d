import type { Address } from '@solana/kit';
import { type AccountState, CLOSED_ACCOUNT, SYSTEM_PROGRAM } from './accounts.ts';
import type { Outcome } from './chain.ts';
import type { ReadyTransaction, Runtime } from './runtime.ts';
import { tokenBalancesOf } from './token.ts';
import { feeOf, isStaticWritable, type ParsedTransaction } from './transaction.ts';
import type { TransactionError } from './transaction-error.ts';
import type { VirtualMachine } from './virtual-machine.ts';

/** Errors that prevent loading a transaction but still charge its fee (SIMD-0082). */
const FEE_ONLY_ERRORS: ReadonlySet<TransactionError> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/**
 * Runs a transaction and stores its writes. Returns null if it cannot land (a bad signature, or a
 * payer without funds).
 */
export function execute({ vm, bank }: Runtime, ready: ReadyTransaction): Outcome | null {
  const { transaction, loaded, keys } = ready;
  const read = (address: Address) => bank.account(address, 'processed');
  const before = keys.map(read);
  const execution = vm.execute(transaction);
  const failed = execution.err !== null;
  // If the payer's lamports are unchanged, the transaction failed before execution. It then never
  // lands, unless its error is one of the few whose fee is charged.
  const isPayerUnchanged = () => vm.lamportsOf(keys[0] as Address) === (before[0]?.lamports ?? 0n);
  if (failed && isPayerUnchanged() && !chargeFeeOnly(vm, transaction, execution.err)) return null;

  const signature = transaction.signatures[0] as string;
  const after = keys.map((address, index) => {
    const earlier = before[index] ?? null;
    // A failed transaction changes only its payer's balance, by the fee.
    if (failed ? index !== 0 : !isWritable(ready, index)) return earlier;
    const account = vm.getAccount(address);
    if (account || earlier) bank.record(address, account ?? CLOSED_ACCOUNT, signature);
    return account;
  });
  return {
    ...execution,
    accountKeys: keys,
    loaded,
    preBalances: before.map(lamportsOf),
    postBalances: after.map(lamportsOf),
    preTokenBalances: tokenBalancesOf(keys, before, read),
    postTokenBalances: tokenBalancesOf(keys, after, read),
  };
}

// Charges the fee of a transaction that could not be loaded, because LiteSVM does not. Returns
// false if the error charges no fee, or the payer cannot pay it.
function chargeFeeOnly(
  vm: VirtualMachine,
  transaction: ParsedTransaction,
  err: TransactionError | null,
): boolean {
  if (err === null || !FEE_ONLY_ERRORS.has(err)) return false;
  const payer = transaction.staticKeys[0] as Address;
  const account = vm.getAccount(payer);
  if (account?.owner !== SYSTEM_PROGRAM) return false;
  const lamports = account.lamports - feeOf(transaction);
  if (lamports < 0n || (lamports > 0n && lamports < vm.rentExemptMinimum(account.data.length))) return false;
  vm.setAccount(payer, { ...account, lamports });
  return true;
}

function isWritable({ transaction, loaded }: ReadyTransaction, index: number): boolean {
  const staticCount = transaction.staticKeys.length;
  return index < staticCount
    ? isStaticWritable(transaction, index)
    : index < staticCount + loaded.writable.length;
}

function lamportsOf(account: AccountState | null): bigint {
  return account?.lamports ?? 0n;
}
