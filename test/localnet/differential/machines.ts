/**
 * Two machines in the same state, one per program. Both run every step, and the outcomes are
 * compared.
 */
import type { Address } from '@solana/kit';
import {
  Account,
  Clock,
  type FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { type AccountState, CLOSED_ACCOUNT } from '../../../localnet/accounts.ts';
import { addressBytes, addressOf } from '../../../localnet/address-bytes.ts';
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import { transactionErrorOf } from '../../../localnet/transaction-error.ts';
import type { Call } from './call.ts';
import { NOOP_PROGRAM, noopProgram } from './noop-program.ts';
import { wireOf } from './wire.ts';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
const SET_COMPUTE_UNIT_LIMIT = 2;
/** The maximum, because the compute units of the programs are not compared. */
const COMPUTE_UNITS = 1_400_000;

/** The outcome of a transaction as readable text that can be compared. */
export interface Outcome {
  readonly error: string | null;
  readonly inner: string;
  readonly returned: string;
}

/** The outcomes of the two programs differ. */
export class Difference extends Error {
  override name = 'Difference';
}

export class Machines {
  readonly #ours: LiteSvm;
  readonly #official: LiteSvm;
  readonly #limit: Call;

  constructor(ours: Uint8Array, official: Uint8Array) {
    [this.#ours, this.#official] = [ours, official].map((elf) => {
      const svm = new LiteSvm();
      svm.setSigverify(false);
      svm.setBlockhashCheck(false);
      svm.setTransactionHistory(0n);
      svm.addProgram(addressBytes(SUBSCRIPTIONS_PROGRAM), elf);
      svm.addProgram(addressBytes(NOOP_PROGRAM), noopProgram());
      return svm;
    }) as [LiteSvm, LiteSvm];
    const data = Buffer.alloc(5);
    data.writeUInt8(SET_COMPUTE_UNIT_LIMIT, 0);
    data.writeUInt32LE(COMPUTE_UNITS, 1);
    this.#limit = { program: COMPUTE_BUDGET, accounts: [], data };
  }

  setClock(slot: bigint, seconds: bigint): void {
    for (const svm of this.#machines()) svm.setClock(new Clock(slot, seconds, 0n, 0n, seconds));
  }

  rentFor(bytes: number): bigint {
    return this.#ours.minimumBalanceForRentExemption(BigInt(bytes));
  }

  write(address: Address, { lamports, data, owner, executable }: AccountState): void {
    for (const svm of this.#machines()) {
      svm.setAccount(addressBytes(address), new Account(lamports, data, addressBytes(owner), executable, 0n));
    }
  }

  read(address: Address): AccountState | null {
    return readAccount(this.#ours, address);
  }

  /** Writes an account as if it were closed or had never existed. */
  erase(address: Address): void {
    this.write(address, CLOSED_ACCOUNT);
  }

  /**
   * Runs a transaction on both machines.
   *
   * @throws Difference if their errors, inner calls or resulting accounts differ
   */
  run(feePayer: Address, calls: readonly Call[]): Outcome {
    const { keys, bytes } = wireOf(feePayer, [this.#limit, ...calls]);
    const ours = outcomeOf(this.#ours.sendLegacyTransaction(bytes));
    const official = outcomeOf(this.#official.sendLegacyTransaction(bytes));
    for (const aspect of ['error', 'inner', 'returned'] as const) {
      if (ours[aspect] !== official[aspect]) {
        throw new Difference(`${aspect}: ours ${ours[aspect]}, official ${official[aspect]}`);
      }
    }
    for (const { address } of keys) this.compare(address);
    return ours;
  }

  /** @throws Difference */
  compare(address: Address): void {
    const [ours, official] = this.#machines().map((svm) => describe(readAccount(svm, address)));
    if (ours !== official) throw new Difference(`${address}: ours\n  ${ours}\nofficial\n  ${official}`);
  }

  #machines(): readonly LiteSvm[] {
    return [this.#ours, this.#official];
  }
}

function readAccount(svm: LiteSvm, address: Address): AccountState | null {
  const account = svm.getAccount(addressBytes(address));
  if (!account) return null;
  return {
    lamports: account.lamports(),
    owner: addressOf(account.owner()),
    data: account.data(),
    executable: account.executable(),
  };
}

function describe(account: AccountState | null): string {
  if (!account) return 'none';
  const { lamports, owner, data, executable } = account;
  return `${lamports} ${owner} ${executable} ${Buffer.from(data).toString('hex')}`;
}

function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata): Outcome {
  const failed = 'err' in result;
  const meta = failed ? result.meta() : result;
  const inner = meta.innerInstructions().map((calls) =>
    calls.map((call) => {
      const instruction = call.instruction();
      const data = Buffer.from(instruction.data()).toString('hex');
      return `${call.stackHeight()}:${instruction.programIdIndex()}(${[...instruction.accounts()]})${data}`;
    }),
  );
  const returned = meta.returnData();
  return {
    error: failed ? JSON.stringify(transactionErrorOf(result.err())) : null,
    inner: inner.map((calls) => calls.join(' ')).join(' | '),
    returned: Buffer.from(returned.data()).toString('hex'),
  };
}
