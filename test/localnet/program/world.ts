/** The program in LiteSVM with a clock and a fee payer, for every test of this folder. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  type Address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  type Lamports,
  lamports,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
  type Transaction,
} from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm';
import { programFromEnvironment } from '../../../localnet/genesis.ts';
import { EVENT_AUTHORITY } from './instructions.ts';

export const PROGRAM_FILE = new URL('../../../localnet/program/subscriptions.so', import.meta.url);

/**
 * The time and slot at which a world starts. They are easy to recognise in the output of a failed
 * test.
 */
export const START = 1_800_000_000n;
export const FIRST_SLOT = 1_000n;

/** The runtime's errors that the program returns, by their number in LiteSVM. */
const RUNTIME_ERRORS: Record<number, string> = {
  7: 'MissingRequiredSignature',
  19: 'NotEnoughAccountKeys',
  44: 'InvalidAccountOwner',
};

/** The instruction that failed, with the program's code or the runtime's error. */
export type Refusal = { index: number; code: number | string };
export type Landed = { events: Uint8Array[]; units: bigint; size: number };
export type Outcome = ({ ok: true } & Landed) | ({ ok: false } & Refusal);

/**
 * A version 1 transaction sets its compute units; version 0 has 200,000 per instruction. A separate
 * fee payer uses one of the 64 addresses of a transaction, so in a full transaction the caller
 * pays.
 */
export type SendOptions = { version1?: { computeUnits: number; feePayer: KeyPairSigner } };

const people = new Map<string, Promise<KeyPairSigner>>();

/**
 * Returns the signer with this name. The same name gives the same key in every run, so that a test
 * always costs the same compute units.
 */
export function person(name: string): Promise<KeyPairSigner> {
  // The same name also gives the same object, because kit requires one signer object per address.
  const existing = people.get(name);
  if (existing) return existing;
  const signer = createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(name).digest());
  people.set(name, signer);
  return signer;
}

function refusalOf(failed: FailedTransactionMetadata): Refusal {
  const unexpected = () => new Error(`${failed.toString()}\n${failed.meta().logs().join('\n')}`);
  const error = failed.err();
  if (typeof error === 'number' || !('index' in error) || !('err' in error)) throw unexpected();
  const cause = error.err();
  if (typeof cause === 'number') {
    const code = RUNTIME_ERRORS[cause];
    if (!code) throw unexpected();
    return { index: error.index, code };
  }
  if (!('code' in cause)) throw unexpected();
  return { index: error.index, code: cause.code };
}

/**
 * The data of every call of the program to itself. Each is an event and names only the event
 * authority.
 */
function eventsOf(transaction: Transaction, meta: TransactionMetadata): Uint8Array[] {
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const program = staticAccounts.indexOf(SUBSCRIPTIONS_PROGRAM_ADDRESS);
  const eventAuthority = staticAccounts.indexOf(EVENT_AUTHORITY);
  return meta
    .innerInstructions()
    .flat()
    .map((inner) => inner.instruction())
    .filter((call) => call.programIdIndex() === program)
    .map((call) => {
      if (call.accounts().join() !== `${eventAuthority}`) throw new Error('an event has other accounts');
      return new Uint8Array(call.data());
    });
}

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld() {
  const svm = new LiteSVM().withTransactionHistory(0n).withBlockhashCheck(false);
  svm.addProgramFromFile(
    SUBSCRIPTIONS_PROGRAM_ADDRESS,
    programFromEnvironment() ?? fileURLToPath(PROGRAM_FILE),
  );
  // One account pays all fees, so that the lamports of other accounts change only because of rent.
  const feePayer = await person('fee payer');

  /** Sets the clock to `elapsedSeconds` after START, by default in a new slot. */
  function setTime(elapsedSeconds: bigint, slot = FIRST_SLOT + elapsedSeconds): void {
    svm.setClock(new Clock(slot, START, 0n, 0n, START + elapsedSeconds));
  }

  function fund(address: Address, amount = 10_000_000_000n): void {
    svm.airdrop(address, lamports(amount));
  }

  function sign(instructions: Instruction[], { version1 }: SendOptions): Promise<Transaction> {
    if (!version1) {
      return signTransactionMessageWithSigners(
        pipe(
          createTransactionMessage({ version: 0 }),
          (message) => setTransactionMessageFeePayerSigner(feePayer, message),
          (message) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(message),
          (message) => appendTransactionMessageInstructions(instructions, message),
        ),
      );
    }
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 1 }),
        (message) => setTransactionMessageFeePayerSigner(version1.feePayer, message),
        (message) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(message),
        (message) => setTransactionMessageComputeUnitLimit(version1.computeUnits, message),
        (message) => setTransactionMessageLoadedAccountsDataSizeLimit(1_000_000, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
  }

  async function send(instructions: Instruction[], options: SendOptions = {}): Promise<Outcome> {
    const transaction = await sign(instructions, options);
    const result = svm.sendTransaction(transaction);
    if (result instanceof FailedTransactionMetadata) return { ok: false, ...refusalOf(result) };
    const size = getTransactionEncoder().encode(transaction).length;
    return { ok: true, events: eventsOf(transaction, result), units: result.computeUnitsConsumed(), size };
  }

  /** Sends a transaction that must land. */
  async function land(instructions: Instruction[], options: SendOptions = {}): Promise<Landed> {
    const outcome = await send(instructions, options);
    if (!outcome.ok) throw new Error(`Instruction ${outcome.index} was refused: ${outcome.code}`);
    return outcome;
  }

  /** Sends a transaction that must be refused. Returns its error. */
  async function refusal(instructions: Instruction[]): Promise<number | string> {
    const outcome = await send(instructions);
    if (outcome.ok) throw new Error('the transaction landed');
    return outcome.code;
  }

  /** The data of an account that must exist. */
  function data(address: Address): Uint8Array {
    const account = svm.getAccount(address);
    if (!account.exists) throw new Error(`There is no account ${address}.`);
    return new Uint8Array(account.data);
  }

  function exists(address: Address): boolean {
    return svm.getAccount(address).exists;
  }

  function balance(address: Address): bigint {
    return svm.getBalance(address) ?? 0n;
  }

  /** Overwrites an account with a state that no transaction produces. */
  function tamper(address: Address, change: { data?: Uint8Array; programAddress?: Address }): void {
    const account = svm.getAccount(address);
    const existing = account.exists ? account : undefined;
    const data = change.data ?? (existing ? new Uint8Array(existing.data) : new Uint8Array());
    svm.setAccount({
      address,
      data,
      executable: false,
      lamports: svm.minimumBalanceForRentExemption(BigInt(data.length)) as Lamports,
      programAddress: change.programAddress ?? existing?.programAddress ?? SYSTEM_PROGRAM_ADDRESS,
      space: BigInt(data.length),
    });
  }

  /** Writes bytes into an account. */
  function poke(address: Address, offset: number, bytes: Iterable<number>): void {
    const changed = data(address);
    changed.set([...bytes], offset);
    tamper(address, { data: changed });
  }

  /** Cuts an account to a length, or pads it with zeros. */
  function cut(address: Address, length: number): void {
    const changed = new Uint8Array(length);
    changed.set(data(address).subarray(0, length));
    tamper(address, { data: changed });
  }

  fund(feePayer.address, 1_000_000_000_000n);
  setTime(0n);
  return { svm, setTime, fund, send, land, refusal, tamper, poke, cut, data, exists, balance };
}
