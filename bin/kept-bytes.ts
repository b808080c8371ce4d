import { readFile, writeFile } from 'node:fs/promises';

/** How bytes are written in a file, such that its contents can be given as a variable of the configuration. */
export interface Spelling {
  write(bytes: Uint8Array): string;
  read(text: string): Uint8Array;
}

/** As `solana-keygen` writes key pairs. */
export const keygenFile: Spelling = {
  write: (bytes) => JSON.stringify([...bytes]),
  read: (text) => Uint8Array.from(JSON.parse(text)),
};

export const base64File: Spelling = {
  write: (bytes) => Buffer.from(bytes).toString('base64'),
  read: (text) => Uint8Array.from(Buffer.from(text, 'base64')),
};

/** Bytes that are made once and kept in a file that only its owner may read. */
export async function kept(
  path: string,
  spelling: Spelling,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null) return spelling.read(text);
  const bytes = await make();
  await writeFile(path, spelling.write(bytes), { mode: 0o600 });
  return bytes;
}
