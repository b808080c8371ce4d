import { type Address, createSolanaRpc, getAddressDecoder, getBase64Encoder } from '@solana/kit';
import type { AccountState } from './accounts.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const LOADER_V4 = 'LoaderV411111111111111111111111111111111111';
const PLAIN_LOADERS = new Set([
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
]);
/** Bytes before the ELF in an account of the upgradeable loader: tag, slot, optional authority. */
const PROGRAM_DATA_HEADER_BYTES = 45;
/** Slot, authority, status. */
const LOADER_V4_HEADER_BYTES = 48;

/**
 * The account does not exist, cannot be read, or is not a program. The message names the cluster.
 */
export class CloneFailed extends Error {
  override name = 'CloneFailed';
}

/**
 * Reads a deployed program's ELF from a cluster, for any loader.
 *
 * @throws CloneFailed
 */
export async function cloneProgram(rpcUrl: string, program: Address): Promise<Uint8Array> {
  const account = await cloneAccount(rpcUrl, program);
  if (PLAIN_LOADERS.has(account.owner)) return account.data;
  if (account.owner === LOADER_V4) return account.data.subarray(LOADER_V4_HEADER_BYTES);
  if (account.owner !== UPGRADEABLE_LOADER) {
    throw new CloneFailed(`${program} on ${rpcUrl} is not a program: ${account.owner} owns it`);
  }
  const programData = await cloneAccount(rpcUrl, getAddressDecoder().decode(account.data, 4));
  return programData.data.subarray(PROGRAM_DATA_HEADER_BYTES);
}

/**
 * Reads one account from a cluster, at `confirmed`.
 *
 * @throws CloneFailed
 */
export async function cloneAccount(rpcUrl: string, address: Address): Promise<AccountState> {
  const rpc = createSolanaRpc(rpcUrl);
  const { value } = await rpc
    .getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' })
    .send()
    .catch((cause: unknown) => {
      throw new CloneFailed(`cannot read ${address} from ${rpcUrl}: ${String(cause)}`, { cause });
    });
  if (!value) throw new CloneFailed(`${address} does not exist on ${rpcUrl}`);
  return {
    lamports: value.lamports,
    owner: value.owner,
    executable: value.executable,
    data: getBase64Encoder().encode(value.data[0]) as Uint8Array,
  };
}
