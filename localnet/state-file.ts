import { readFile, rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Block } from './ledger.ts';
import type { NetworkState } from './network-options.ts';
import { parseTransaction } from './transaction.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The file exists but cannot be read, is not a saved network, or has another release's format. */
export class UnreadableState extends Error {
  override name = 'UnreadableState';
}

/**
 * Writes the state to a temporary file and renames it, so that a crash leaves the old file intact.
 */
export async function saveState(path: string, state: NetworkState): Promise<void> {
  // Parsed transactions hold library objects; their wire bytes are equivalent.
  const blocks = state.blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map((record) => ({ ...record, transaction: record.transaction.wire })),
  }));
  const partial = `${path}.partial`;
  await writeFile(partial, await compress(serialize({ ...state, blocks })));
  await rename(partial, path);
}

/**
 * Reads a file that `saveState` wrote; undefined if it does not exist.
 *
 * @throws UnreadableState
 */
export async function loadState(path: string): Promise<NetworkState | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UnreadableState(`cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
  try {
    const saved = deserialize(await decompress(bytes)) as NetworkState;
    if (saved.format !== 1) throw new Error(`format ${saved.format}`);
    return { ...saved, blocks: saved.blocks.map(withParsedTransactions) };
  } catch (cause) {
    throw new UnreadableState(`${path} is not a saved localnet: ${(cause as Error).message}`, { cause });
  }
}

function withParsedTransactions(block: Block): Block {
  const transactions = block.transactions.map((record) => ({
    ...record,
    transaction: parseTransaction(record.transaction as unknown as Uint8Array),
  }));
  return { ...block, transactions };
}
