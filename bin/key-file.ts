import { readFile, writeFile } from 'node:fs/promises';

/** A text format of bytes, also usable as a configuration variable. */
export interface ByteFormat {
  write(bytes: Uint8Array): string;
  read(text: string): Uint8Array;
}

/** The format of key pairs of `solana-keygen`. */
export const keygenFile: ByteFormat = {
  write: (bytes) => JSON.stringify([...bytes]),
  read: (text) => Uint8Array.from(JSON.parse(text)),
};

export const base64File: ByteFormat = {
  write: (bytes) => Buffer.from(bytes).toString('base64'),
  read: (text) => Uint8Array.from(Buffer.from(text, 'base64')),
};

/** Bytes that are created once and readOrCreateBytes in a file readable only by its owner. */
export async function readOrCreateBytes(
  path: string,
  spelling: ByteFormat,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null) return spelling.read(text);
  const bytes = await make();
  await writeFile(path, spelling.write(bytes), { mode: 0o600 });
  return bytes;
}
