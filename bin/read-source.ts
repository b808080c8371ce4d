import { createReadStream } from 'node:fs';
import { publicPart, rootMessage } from '../src/observability/public-urls.ts';

/** A file or a URL cannot be read, or has too much. */
export class UnreadableSource extends Error {
  override name = 'UnreadableSource';
}

export interface ReadLimits {
  readonly maxBytes: number;
  /** From the request to the last byte. */
  readonly timeoutMs: number;
}

/** The text of a file, which may be a pipe. @throws UnreadableSource */
export async function readFileText(
  path: string,
  { maxBytes }: Pick<ReadLimits, 'maxBytes'>,
): Promise<string> {
  try {
    return await readText(createReadStream(path), maxBytes);
  } catch (cause) {
    throw new UnreadableSource(`${path} cannot be read: ${rootMessage(cause)}`, { cause });
  }
}

/** The text at a URL. @throws UnreadableSource, also after the time limit */
export async function downloadText(url: string, { maxBytes, timeoutMs }: ReadLimits): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return await readText(response.body ?? [], maxBytes);
    await response.body?.cancel();
    throw new Error(`it answered with status ${response.status}`);
  } catch (cause) {
    throw new UnreadableSource(`${publicPart(url)} cannot be read: ${rootMessage(cause)}`, { cause });
  }
}

/** Reads no more than the limit: the rest is not awaited. */
async function readText(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
