import { type Address, type EncodedAccount, getAddressDecoder, lamports } from '@solana/kit';
import { Clock, LiteSVM } from 'litesvm';
import type { AccountState } from './accounts.ts';
import type { TransactionRecord } from './ledger.ts';
import type { ParsedTransaction } from './transaction.ts';
import { type TransactionError, transactionErrorOf } from './transaction-error.ts';

export const SLOTS_PER_EPOCH = 432_000;

/** What running a transaction gave, whether it was kept or only simulated. */
export interface Execution
  extends Pick<TransactionRecord, 'err' | 'logs' | 'innerInstructions' | 'computeUnits' | 'returnData'> {}

export interface Simulation extends Execution {
  /** Accounts as the transaction would leave them; empty where it failed. */
  readonly accounts: ReadonlyMap<Address, AccountState>;
}

/** What was to be loaded is not a program that this machine can run. */
export class UnreadableProgram extends Error {
  override name = 'UnreadableProgram';
}

type NativeMetadata = Exclude<ReturnType<LiteSVM['sendTransaction']>, { err(): unknown }>;

const addressDecoder = getAddressDecoder();

/**
 * LiteSVM with the parts switched off that the network does itself as a cluster does them: blockhash expiry
 * over 150 blocks, duplicate detection and history.
 */
export class VirtualMachine {
  #svm: LiteSVM;

  constructor(state?: Uint8Array) {
    this.#svm = (state ? LiteSVM.fromBytes(state) : new LiteSVM())
      .withBlockhashCheck(false)
      .withTransactionHistory(0n);
  }

  get slot(): number {
    return Number(this.#svm.getClock().slot);
  }

  /** @throws UnreadableProgram */
  addProgram(address: Address, elf: Uint8Array): void {
    try {
      this.#svm.addProgram(address, elf);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UnreadableProgram(`${address} cannot be loaded: ${reason}`, { cause });
    }
  }

  setClock(slot: number, unixSeconds: number): void {
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    const clock = this.#svm.getClock();
    const epochStart = clock.epoch === epoch ? clock.epochStartTimestamp : BigInt(unixSeconds);
    this.#svm.setClock(new Clock(BigInt(slot), epochStart, epoch, epoch + 1n, BigInt(unixSeconds)));
  }

  /** Newest first, as many as the sysvar holds; programs that make lookup tables read it. */
  setSlotHashes(hashes: { slot: number; hash: string }[]): void {
    this.#svm.setSlotHashes(hashes.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })) as never);
  }

  getAccount(address: Address): AccountState | null {
    const account = this.#svm.getAccount(address);
    return account.exists ? stateOf(account) : null;
  }

  setAccount(address: Address, account: AccountState): void {
    this.#svm.setAccount({
      address,
      data: account.data,
      executable: account.executable,
      lamports: lamports(account.lamports),
      programAddress: account.owner,
      space: BigInt(account.data.length),
    });
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  execute(transaction: ParsedTransaction): Execution {
    // A lone missing signature would make LiteSVM's wrapper throw instead of answering.
    if (hasMissingSignature(transaction)) return failedWith('SignatureFailure');
    this.#svm.withSigverify(true);
    return executionOf(this.#svm.sendTransaction(transaction.decoded as never));
  }

  simulate(transaction: ParsedTransaction, verifySignatures: boolean): Simulation {
    if (verifySignatures && hasMissingSignature(transaction)) {
      return { ...failedWith('SignatureFailure'), accounts: new Map() };
    }
    this.#svm.withSigverify(verifySignatures);
    const result = this.#svm.simulateTransaction(transaction.decoded as never);
    if ('err' in result) return { ...executionOf(result), accounts: new Map() };
    const accounts = new Map(result.postAccounts().map((account) => [account.address, stateOf(account)]));
    return { ...executionOf(result.meta()), accounts };
  }

  save(): Uint8Array {
    return this.#svm.toBytes();
  }
}

function stateOf(account: EncodedAccount): AccountState {
  return {
    lamports: account.lamports,
    owner: account.programAddress,
    data: account.data as Uint8Array,
    executable: account.executable,
  };
}

function hasMissingSignature(transaction: ParsedTransaction): boolean {
  return Object.values(transaction.decoded.signatures).some((signature) => signature === null);
}

function failedWith(err: TransactionError): Execution {
  return { err, logs: [], innerInstructions: [], computeUnits: 0, returnData: null };
}

function executionOf(result: ReturnType<LiteSVM['sendTransaction']>): Execution {
  const failed = 'err' in result;
  const meta: NativeMetadata = failed ? result.meta() : result;
  const returned = meta.returnData();
  return {
    err: failed ? transactionErrorOf(result.err()) : null,
    logs: meta.logs(),
    computeUnits: Number(meta.computeUnitsConsumed()),
    returnData:
      returned.data().length > 0
        ? { programId: addressDecoder.decode(returned.programId()), data: returned.data() }
        : null,
    innerInstructions: meta.innerInstructions().flatMap((inner, index) =>
      inner.length === 0
        ? []
        : [
            {
              index,
              instructions: inner.map((entry) => {
                const instruction = entry.instruction();
                return {
                  programIndex: instruction.programIdIndex(),
                  accounts: [...instruction.accounts()],
                  data: instruction.data(),
                  stackHeight: entry.stackHeight(),
                };
              }),
            },
          ],
    ),
  };
}
