import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { inChunks } from '../../async/in-chunks.ts';
import type { Chain } from '../chain.ts';
import { callAsOf, callNear, contextSlot, type SlotConfig } from '../rpc/as-of.ts';
import { TOKEN_ACCOUNT_BYTES } from './accounts.ts';

// Anyone can name an account of ten megabytes: as the delegate of a token account, as a wallet, as
// a mint. Every account is therefore read with a bound, by what is decoded from it. No other file
// calls the RPC methods that read accounts; test/lint/bounded-reads.test.ts checks that.

/** Maximum accounts per `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100;

/** The part of an account that is read, in bytes from its beginning. */
export const PART_BYTES = {
  /** Nothing: only the owner, the lamports and whether the account exists. */
  owner: 0,
  /** The fixed fields of a token account, mint, authority, subscription or the clock. */
  fields: TOKEN_ACCOUNT_BYTES,
  /** An account of the program, with room for fields that a later release appends. */
  program: 1_024,
  /**
   * A mint or token account of Token-2022 with its extensions. A mint with all extensions of fixed
   * length has less than 1,500 bytes, such a token account less than 600. The rest is for the
   * metadata of a mint, the only extension of any length. It follows the extensions that affect
   * transfers, because these must be created before the mint is initialized.
   */
  extensions: 4_096,
} as const;
export type AccountPart = keyof typeof PART_BYTES;

export interface ChainAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly executable: boolean;
  /** The part of the data that was requested. */
  readonly data: ReadonlyUint8Array;
  /** Whether the account is longer than that part. */
  readonly isLonger: boolean;
  /** The slot of the read. */
  readonly slot: bigint;
}

/** The result of reading an address. It has a slot even if there is no account. */
export interface ReadAddress {
  readonly address: Address;
  readonly account: ChainAccount | undefined;
  readonly slot: bigint;
}

/** The part of a chain that reading needs. */
type ReadableChain = Pick<Chain, 'rpc' | 'minSlot' | 'slotAttempts' | 'readSignal'>;

/**
 * Reads a part of accounts at 'confirmed' and at least at the chain's `minSlot`, in the order of
 * the addresses; `undefined` for a missing account.
 *
 * @throws NodeBehind
 */
export async function readAccounts(
  chain: ReadableChain,
  addresses: readonly Address[],
  part: AccountPart,
): Promise<(ChainAccount | undefined)[]> {
  const read = await readAddresses(chain, addresses, part);
  return read.map(({ account }) => account);
}

/**
 * Reads accounts like `readAccounts`, each with the slot of the read.
 *
 * @throws NodeBehind
 */
export async function readAddresses(
  chain: ReadableChain,
  addresses: readonly Address[],
  part: AccountPart,
): Promise<ReadAddress[]> {
  const bytes = PART_BYTES[part];
  // One more byte shows whether an account is longer.
  const slice = { encoding: 'base64', dataSlice: { offset: 0, length: bytes + 1 } } as const;
  const answers = await Promise.all(
    [...inChunks(addresses, ACCOUNTS_PER_CALL)].map(async (chunk): Promise<ReadAddress[]> => {
      const { context, value } = await callAsOf(
        chain,
        (config) =>
          chain.rpc
            .getMultipleAccounts(chunk, { commitment: 'confirmed', ...slice, ...config })
            .send(abortable(chain)),
        contextSlot,
      );
      const { slot } = context;
      return chunk.map((address, index) => {
        const account = value[index];
        return {
          address,
          slot,
          account: account ? toChainAccount(address, account, bytes, slot) : undefined,
        };
      });
    }),
  );
  return answers.flat();
}

/** The chain's time in a slot. */
export interface SlotTime {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: bigint;
}

/**
 * Reads the newest confirmed slot, at least `minSlot`, and its time.
 *
 * @throws NodeBehind
 */
export async function readSlotTime(chain: ReadableChain): Promise<SlotTime> {
  const clock = await callAsOf(chain, (config) => readClock(chain, config), contextSlot);
  return { slot: contextSlot(clock), time: decodeTime(clock) };
}

/**
 * Reads the chain's clock, which the program uses, in unix seconds, at least at `minSlot`.
 *
 * @throws NodeBehind
 */
export async function readChainTime(chain: ReadableChain): Promise<bigint> {
  return (await readSlotTime(chain)).time;
}

/**
 * Reads the chain's clock from a node that has almost reached `minSlot`, or from any node if all
 * are further behind. For comparisons with a tolerance of minutes.
 */
export async function readRecentChainTime(
  chain: Pick<Chain, 'rpc' | 'minSlot'>,
): Promise<{ readonly time: bigint; readonly isNear: boolean }> {
  const { answer, isNear } = await callNear(chain.minSlot, (config) => readClock(chain, config));
  return { time: decodeTime(answer), isNear };
}

function readClock(chain: Pick<Chain, 'rpc' | 'readSignal'>, config: SlotConfig) {
  const slice = { encoding: 'base64', dataSlice: { offset: 0, length: PART_BYTES.fields } } as const;
  return chain.rpc
    .getAccountInfo(CLOCK_SYSVAR, { commitment: 'confirmed', ...slice, ...config })
    .send(abortable(chain));
}

function decodeTime({ value }: Awaited<ReturnType<typeof readClock>>): bigint {
  if (!value) throw new Error('The cluster has no clock');
  const data = bytesOf(value.data);
  return new DataView(data.buffer, data.byteOffset).getBigInt64(CLOCK_UNIX_TIMESTAMP, true);
}

/** The sysvar with the chain's clock. */
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address;
/** Offsets in its fields: slot, epoch start, epoch, leader schedule epoch, time; 8 bytes each. */
const CLOCK_EPOCH = 16;
const CLOCK_UNIX_TIMESTAMP = 32;

/** Reads the epoch from the data of the clock. */
export function epochOf(clock: ReadonlyUint8Array): bigint {
  return new DataView(clock.buffer, clock.byteOffset).getBigUint64(CLOCK_EPOCH, true);
}

function abortable({ readSignal }: Pick<Chain, 'readSignal'>): { abortSignal?: AbortSignal } {
  return readSignal ? { abortSignal: readSignal } : {};
}

function toChainAccount(
  address: Address,
  account: { owner: Address; lamports: bigint; executable: boolean; data: readonly [string, string] },
  bytes: number,
  slot: bigint,
): ChainAccount {
  const { owner, lamports, executable } = account;
  const answered = bytesOf(account.data);
  const isLonger = answered.length > bytes;
  const data = isLonger ? answered.slice(0, bytes) : answered;
  return { address, owner, lamports, executable, data, isLonger, slot };
}

/** Without kit's encoder, which takes several times as long. */
function bytesOf([base64]: readonly [string, string]): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
