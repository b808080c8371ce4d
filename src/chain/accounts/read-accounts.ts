import { type Address, getBase64Encoder, type ReadonlyUint8Array } from '@solana/kit';
import { inChunks } from '../../async/in-chunks.ts';
import type { Chain } from '../chain.ts';
import { callAsOf, callNear, contextSlot, type SlotConfig } from '../rpc/as-of.ts';

/** Maximum accounts per `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100;
const base64 = getBase64Encoder();

export interface ChainAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: ReadonlyUint8Array;
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
type ReadableChain = Pick<Chain, 'rpc' | 'minSlot' | 'slotAttempts'>;

/**
 * Reads accounts at 'confirmed' and at least at the chain's `minSlot`, in the order of the
 * addresses; `undefined` for a missing account.
 *
 * @throws NodeBehind
 */
export async function readAccounts(
  chain: ReadableChain,
  addresses: readonly Address[],
): Promise<(ChainAccount | undefined)[]> {
  const read = await readAddresses(chain, addresses);
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
): Promise<ReadAddress[]> {
  const answers = await Promise.all(
    [...inChunks(addresses, ACCOUNTS_PER_CALL)].map(async (chunk): Promise<ReadAddress[]> => {
      const { context, value } = await callAsOf(
        chain,
        (config) =>
          chain.rpc
            .getMultipleAccounts(chunk, { commitment: 'confirmed', encoding: 'base64', ...config })
            .send(),
        contextSlot,
      );
      const { slot } = context;
      return chunk.map((address, index) => {
        const account = value[index];
        return { address, slot, account: account ? toChainAccount(address, account, slot) : undefined };
      });
    }),
  );
  return answers.flat();
}

/**
 * Reads the chain's clock, which the program uses, in unix seconds, at least at `minSlot`.
 *
 * @throws NodeBehind
 */
export function readChainTime(chain: ReadableChain): Promise<bigint> {
  return callAsOf(chain, (config) => readClock(chain, config), contextSlot).then(decodeTime);
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

function readClock({ rpc }: Pick<Chain, 'rpc'>, config: SlotConfig) {
  return rpc.getAccountInfo(CLOCK_SYSVAR, { commitment: 'confirmed', encoding: 'base64', ...config }).send();
}

function decodeTime({ value }: Awaited<ReturnType<typeof readClock>>): bigint {
  if (!value) throw new Error('The cluster has no clock');
  const data = base64.encode(value.data[0]);
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

function toChainAccount(
  address: Address,
  account: { owner: Address; lamports: bigint; data: readonly [string, string] },
  slot: bigint,
): ChainAccount {
  const { owner, lamports } = account;
  return { address, owner, lamports, data: base64.encode(account.data[0]), slot };
}
