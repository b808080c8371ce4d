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

/** Reads bytes from a file, or creates them once and writes a file that only its owner can read. */
export async function readOrCreateBytes(
  path: string,
  format: ByteFormat,
  create: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null) return format.read(text);
  const bytes = await create();
  await writeFile(path, format.write(bytes), { mode: 0o600 });
  return bytes;
}
