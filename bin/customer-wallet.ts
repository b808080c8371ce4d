import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { keygenFile } from './key-file.ts';
import { newKeyPairBytes } from './key-pair.ts';

/** The key file of a wallet does not exist or has no key. */
export class UnreadableWallet extends Error {
  override name = 'UnreadableWallet';
}

/** A customer's wallet on a local network, and its key file in the format of `solana-keygen`. */
export interface CustomerWallet {
  readonly signer: KeyPairSigner;
  readonly file: string;
  /** Writes the file of a new wallet. */
  keep(): Promise<void>;
}

/** A new wallet with a key file in the folder, named after its address. */
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
    // A parser's message may quote the key.
    const { code = 'it has no key in the format of solana-keygen' } = cause as NodeJS.ErrnoException;
    throw new UnreadableWallet(`the wallet ${file} cannot be read: ${code}`, { cause });
  }
}
