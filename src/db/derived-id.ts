import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/**
 * The id of a fact that can be read from the chain again: a UUID of version 7 (RFC 9562, 5.7) whose
 * random bits are a hash. A database that has lost rows gives the same id when it reads the fact
 * again, so a merchant sees no fact twice. Others can compute such an id, so it opens nothing.
 *
 * @param seconds time of the fact in unix seconds; every source must know it exactly
 * @param parts what identifies the fact
 */
export function derivedId(seconds: bigint, ...parts: readonly (string | bigint | number)[]): string {
  const random = createHash('sha256')
    .update(JSON.stringify(parts.map(String)))
    .digest();
  return uuidv7({ msecs: Number(seconds) * 1000, random });
}
