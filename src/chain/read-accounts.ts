import { type Address, getBase64Encoder, type ReadonlyUint8Array } from '@solana/kit';
import { inChunks } from '../in-chunks.ts';
import type { Chain } from './chain.ts';

/** What one `getMultipleAccounts` may ask for. */
const ACCOUNTS_A_CALL = 100;
const base64 = getBase64Encoder();

export interface ChainAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: ReadonlyUint8Array;
  /** As of this slot. */
  readonly slot: bigint;
}

/** The accounts at 'confirmed', in the order they were asked for; `undefined` where there is none. */
export async function readAccounts(
  { rpc }: Chain,
  addresses: readonly Address[],
): Promise<(ChainAccount | undefined)[]> {
  const answers = await Promise.all(
    [...inChunks(addresses, ACCOUNTS_A_CALL)].map(async (chunk) => {
      const { context, value } = await rpc
        .getMultipleAccounts(chunk, { commitment: 'confirmed', encoding: 'base64' })
        .send();
      return chunk.map((address, index) => {
        const account = value[index];
        return account ? toChainAccount(address, account, context.slot) : undefined;
      });
    }),
  );
  return answers.flat();
}

/** Unix seconds of the chain's own clock, which the program goes by. */
export async function readChainTime({ rpc }: Pick<Chain, 'rpc'>): Promise<bigint> {
  const { value } = await rpc
    .getAccountInfo(CLOCK_SYSVAR, { commitment: 'confirmed', encoding: 'base64' })
    .send();
  if (!value) throw new Error('The cluster has no clock');
  const data = base64.encode(value.data[0]);
  return new DataView(data.buffer, data.byteOffset).getBigInt64(CLOCK_UNIX_TIMESTAMP, true);
}

/** The chain's own clock: an account that is always there, and small. */
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address;
/** Behind slot, epoch start, epoch and leader schedule epoch. */
const CLOCK_UNIX_TIMESTAMP = 32;

function toChainAccount(
  address: Address,
  account: { owner: Address; lamports: bigint; data: readonly [string, string] },
  slot: bigint,
): ChainAccount {
  const { owner, lamports } = account;
  return { address, owner, lamports, data: base64.encode(account.data[0]), slot };
}
