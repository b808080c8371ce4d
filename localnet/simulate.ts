import type { Commitment } from './accounts.ts';
import type { LoadedAddresses } from './lookup-tables.ts';
import { prepareAccounts, type Runtime } from './runtime.ts';
import type { ParsedTransaction } from './transaction.ts';
import type { TransactionError } from './transaction-error.ts';
import type { Simulation } from './virtual-machine.ts';

export interface SimulationOnState extends Simulation {
  /** Addresses from the transaction's lookup tables. */
  readonly loaded: LoadedAddresses;
}

export interface SimulateOptions {
  readonly verifySignatures: boolean;
  readonly commitment: Commitment;
}

/** The result of a transaction that is refused before it runs. */
export function failureBeforeRun(err: TransactionError): SimulationOnState {
  return {
    err,
    execution: () => ({ err, logs: [], innerInstructions: [], computeUnits: 0, returnData: null }),
    accounts: () => new Map(),
    loaded: { writable: [], readonly: [] },
  };
}

/**
 * Runs a transaction on the state at the commitment without storing anything. The accounts and the
 * clock of that state are set during the run. The blockhash is not checked.
 */
export function simulate(
  runtime: Runtime,
  transaction: ParsedTransaction,
  { verifySignatures, commitment }: SimulateOptions,
): SimulationOnState {
  const ready = prepareAccounts(runtime, transaction, commitment);
  if ('err' in ready) {
    return failureBeforeRun(ready.err);
  }
  const { vm, chain, bank } = runtime;
  const { keys, loaded } = ready;
  const run = () => vm.simulate(transaction, verifySignatures);
  if (commitment === 'processed' && !chain.isLagging) return { ...run(), loaded };
  const changed = bank.changedSince(commitment, keys);
  return { ...vm.during(changed, chain.timeAt(commitment), run), loaded };
}
