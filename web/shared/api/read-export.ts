import { ApiError } from './api-error.ts';

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with the number of rows so far. */
  readonly onRows: (rows: number) => void;
}

const LINE_END = 10;

/**
 * Reads a CSV export of any length to its end. A browser's own download would keep an incomplete
 * file without an error.
 *
 * @throws ApiError with the server's message, or `unreachable` if the connection was lost
 */
export async function readExport(url: string, { signal, onRows }: ReadOptions): Promise<Blob> {
  const unreachable = () =>
    new ApiError({
      code: 'unreachable',
      message: 'The export was interrupted. Nothing was saved; try again.',
    });
  const response = await fetch(url, { signal }).catch(() => Promise.reject(unreachable()));
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({}));
    const message = `The server responded with status ${response.status}.`;
    throw new ApiError({ code: 'internal_error', message, ...error });
  }
  // A browser may keep blobs on disk, so the parts do not fill its memory.
  const parts: Blob[] = [];
  let lines = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      parts.push(new Blob([chunk]));
      lines += chunk.reduce((count, byte) => count + Number(byte === LINE_END), 0);
      // The first line has the names of the columns.
      onRows(Math.max(0, lines - 1));
    }
  } catch {
    throw unreachable();
  }
  return new Blob(parts, { type: 'text/csv' });
}

async function* chunksOf({ body }: Response) {
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
}
