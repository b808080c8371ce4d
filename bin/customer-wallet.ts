import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { keygenFile } from './kept-bytes.ts';
import { newKeyPairBytes } from './key-pair.ts';

/** The file of a wallet's key is not there, or holds none. */
export class UnreadableWallet extends Error {
  override name = 'UnreadableWallet';
}

/** A customer's wallet on a local network, and the file of its key, as `solana-keygen` writes them. */
export interface CustomerWallet {
  readonly signer: KeyPairSigner;
  readonly file: string;
  /** Writes the file, where the wallet is a new one. */
  keep(): Promise<void>;
}

/** A new wallet, whose file will be in the folder and named after its address. */
export async function newCustomerWallet(folder: string): Promise<CustomerWallet> {
  const bytes = await newKeyPairBytes();
  const signer = await createKeyPairSignerFromBytes(bytes);
  const file = join(folder, `customer-${signer.address.slice(0, 8)}.key`);
  const keep = async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(file, keygenFile.write(bytes), { mode: 0o600, flag: 'wx' });
  };
  return { signer, file, keep };
}

/** @throws UnreadableWallet */
export async function readCustomerWallet(file: string): Promise<CustomerWallet> {
  try {
    const signer = await createKeyPairSignerFromBytes(keygenFile.read(await readFile(file, 'utf8')));
    return { signer, file, keep: async () => undefined };
  } catch (cause) {
    // What a parser says may quote what it read.
    const { code = 'it holds no key as solana-keygen writes them' } = cause as NodeJS.ErrnoException;
    throw new UnreadableWallet(`the wallet ${file} cannot be read: ${code}`, { cause });
  }
}
