import type { IncomingMessage } from 'node:http';

/** Maximum chunks of one body. The largest accepted body usually has fewer than 100. */
export const MAX_PIECES = 2_000;
/** Memory of a chunk in addition to its bytes. */
const PIECE_BYTES = 300;

interface BodyLimits {
  /** Called with the memory of each chunk. */
  readonly onRead: (bytes: number) => void;
  /** Called once when the body has too many chunks. */
  readonly onTooMany: () => void;
}

/** Whether a request's body is longer than `bytes`, or its length is unknown. */
export function hasLongBody({ headers }: IncomingMessage, bytes: number): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;
}

/**
 * Counts the memory of a request's body. A body in too many chunks is not read to its end: each
 * chunk costs some microseconds and some hundred bytes, so a body in chunks of one byte costs a
 * hundred times as much as in one chunk.
 */
export function limitPieces(incoming: IncomingMessage, { onRead, onTooMany }: BodyLimits): void {
  if (!hasLongBody(incoming, 0)) return;
  const push = incoming.push.bind(incoming);
  let pieces = 0;
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) return push(chunk, encoding);
    pieces += 1;
    if (pieces > MAX_PIECES) {
      if (pieces === MAX_PIECES + 1) onTooMany();
      return false;
    }
    onRead(chunk.length + PIECE_BYTES);
    return push(chunk, encoding);
  };
}
