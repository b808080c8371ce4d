import type { Address } from '@solana/kit';
// The native class. The package's wrapper converts addresses to text and transactions to kit's
// objects, which takes longer than running the transaction.
import {
  Clock,
  type FailedTransactionMetadata,
  LiteSvm,
  Account as NativeAccount,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import type { AccountState } from './accounts.ts';
import { addressBytes, addressOf } from './address-bytes.ts';
import type { TransactionRecord } from './ledger.ts';
import type { ParsedTransaction } from './transaction.ts';
import { type TransactionError, transactionErrorOf } from './transaction-error.ts';

export const SLOTS_PER_EPOCH = 432_000;

/** The result of a transaction that was executed or only simulated. */
export interface Execution
  extends Pick<TransactionRecord, 'err' | 'logs' | 'innerInstructions' | 'computeUnits' | 'returnData'> {}

/** The time of a slot. */
export interface ClockTime {
  readonly slot: number;
  readonly unixSeconds: number;
}

/** What a simulation did is read only when asked for: a preflight that succeeds needs none of it. */
export interface Simulation {
  readonly err: TransactionError | null;
  readonly execution: () => Execution;
  /** Returns the accounts after the transaction; none if it failed. */
  readonly accounts: () => ReadonlyMap<Address, AccountState>;
}

/** The binary cannot be read, or is not a program that this machine can run. */
export class UnreadableProgram extends Error {
  override name = 'UnreadableProgram';
}

/** The state cannot be written to an account of this machine. */
export class UnwritableAccount extends Error {
  override name = 'UnwritableAccount';
}

const NO_ACCOUNTS: ReadonlyMap<Address, AccountState> = new Map();

/**
 * LiteSVM without the parts that the network implements as a cluster does: expiry of blockhashes
 * after 150 blocks, duplicate detection and history.
 */
export class VirtualMachine {
  #svm: LiteSvm;
  /** The content of the sysvar, cached because reading it is slower than setting it. */
  #clock: Clock;
  /**
   * Transactions whose signatures were valid in a simulation. Verifying them takes eight times as
   * long as running a transfer, and their bytes do not change.
   */
  readonly #verified = new WeakSet<ParsedTransaction>();

  constructor(state?: Uint8Array) {
    this.#svm = state ? LiteSvm.fromBytes(state) : new LiteSvm();
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#clock = this.#svm.getClock();
  }

  get slot(): number {
    return Number(this.#clock.slot);
  }

  /** @throws UnreadableProgram */
  addProgram(address: Address, elf: Uint8Array): void {
    try {
      this.#svm.addProgram(addressBytes(address), elf);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UnreadableProgram(`${address} cannot be loaded: ${reason}`, { cause });
    }
  }

  setClock(time: ClockTime): void {
    this.#clock = this.#clockAt(time);
    this.#svm.setClock(this.#clock);
  }

  /** The slot hashes that the sysvar holds, newest first. The lookup table program reads them. */
  setSlotHashes(hashes: { slot: number; hash: string }[]): void {
    this.#svm.setSlotHashes(hashes.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })));
  }

  getAccount(address: Address): AccountState | null {
    const account = this.#svm.getAccount(addressBytes(address));
    return account && stateOf(account);
  }

  lamportsOf(address: Address): bigint {
    return this.#svm.getBalance(addressBytes(address)) ?? 0n;
  }

  /** @throws UnwritableAccount if the account is executable but not a program that can run */
  setAccount(address: Address, { lamports, data, owner, executable }: AccountState): void {
    const account = new NativeAccount(lamports, data, addressBytes(owner), executable, 0n);
    try {
      this.#svm.setAccount(addressBytes(address), account);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UnwritableAccount(`${address} cannot be written: ${reason}`, { cause });
    }
  }

  /**
   * Calls `run` with each account in its `past` state, and at `time` if it is given. Restores the
   * newest states and the clock afterwards.
   */
  during<T>(
    accounts: ReadonlyMap<Address, { readonly past: AccountState; readonly newest: AccountState }>,
    time: ClockTime | null,
    run: () => T,
  ): T {
    try {
      for (const [address, { past }] of accounts) this.setAccount(address, past);
      if (time) this.#svm.setClock(this.#clockAt(time));
      return run();
    } finally {
      if (time) this.#svm.setClock(this.#clock);
      for (const [address, { newest }] of accounts) this.setAccount(address, newest);
    }
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  execute(transaction: ParsedTransaction): Execution {
    const { version, wire } = transaction;
    this.#svm.setSigverify(!this.#verified.has(transaction));
    return this.#outcomeOf(
      transaction,
      version === 'legacy' ? this.#svm.sendLegacyTransaction(wire) : this.#svm.sendVersionedTransaction(wire),
    );
  }

  simulate(transaction: ParsedTransaction, verifySignatures: boolean): Simulation {
    const { version, wire } = transaction;
    this.#svm.setSigverify(verifySignatures && !this.#verified.has(transaction));
    const result =
      version === 'legacy'
        ? this.#svm.simulateLegacyTransaction(wire)
        : this.#svm.simulateVersionedTransaction(wire);
    if (isFailure(result)) {
      const failed = this.#outcomeOf(transaction, result);
      return { err: failed.err, execution: () => failed, accounts: () => NO_ACCOUNTS };
    }
    if (verifySignatures) this.#verified.add(transaction);
    return {
      err: null,
      execution: () => executionOf(result.meta()),
      accounts: () =>
        new Map(result.postAccounts().map((entry) => [addressOf(entry.address), stateOf(entry.account())])),
    };
  }

  save(): Uint8Array {
    return this.#svm.toBytes();
  }

  #clockAt({ slot, unixSeconds }: ClockTime): Clock {
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    const now = BigInt(unixSeconds);
    const epochStart = this.#clock.epoch === epoch ? this.#clock.epochStartTimestamp : now;
    return new Clock(BigInt(slot), epochStart, epoch, epoch + 1n, now);
  }

  // LiteSVM does not distinguish a missing program from one that cannot run; a cluster does.
  #outcomeOf(
    { instructions, staticKeys }: ParsedTransaction,
    result: TransactionMetadata | FailedTransactionMetadata,
  ): Execution {
    const execution = executionOf(result);
    if (execution.err !== 'InvalidProgramForExecution') return execution;
    for (const { programIndex } of instructions) {
      const program = this.getAccount(staticKeys[programIndex] as Address);
      if (!program) return { ...execution, err: 'ProgramAccountNotFound' };
      if (!program.executable) break;
    }
    return execution;
  }
}

function stateOf(account: NativeAccount): AccountState {
  return {
    lamports: account.lamports(),
    owner: addressOf(account.owner()),
    data: account.data(),
    executable: account.executable(),
  };
}

function isFailure(
  result: TransactionMetadata | SimulatedTransactionInfo | FailedTransactionMetadata,
): result is FailedTransactionMetadata {
  return 'err' in result;
}

function executionOf(result: TransactionMetadata | FailedTransactionMetadata): Execution {
  const failed = isFailure(result);
  const meta = failed ? result.meta() : result;
  const returned = meta.returnData();
  const data = returned.data();
  return {
    err: failed ? transactionErrorOf(result.err()) : null,
    logs: meta.logs(),
    computeUnits: Number(meta.computeUnitsConsumed()),
    returnData: data.length > 0 ? { programId: addressOf(returned.programId()), data } : null,
    innerInstructions: meta.innerInstructions().flatMap((inner, index) => {
      if (inner.length === 0) return [];
      const instructions = inner.map((entry) => {
        const instruction = entry.instruction();
        return {
          programIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: instruction.data(),
          stackHeight: entry.stackHeight(),
        };
      });
      return { index, instructions };
    }),
  };
}
