import { NotSeenYet } from './not-seen-yet.ts';

const verifications = new Map<string, { readonly signature: string; readonly verified: Promise<unknown> }>();

/**
 * Runs `verify` once for concurrent calls with the same signature, and for only one signature per
 * session at a time. A verification calls the cluster several times, and its request needs no key.
 *
 * @throws NotSeenYet invalid_request, param `signature`
 */
export function verifyOnce<T>(
  { sessionId, signature }: { readonly sessionId: string; readonly signature: string },
  verify: () => Promise<T>,
): Promise<T> {
  const other = verifications.get(sessionId);
  if (other?.signature === signature) return other.verified as Promise<T>;
  if (other) {
    return Promise.reject(
      new NotSeenYet('Another transaction of this checkout is being verified: try again in a moment.'),
    );
  }
  const verified = verify().finally(() => verifications.delete(sessionId));
  verifications.set(sessionId, { signature, verified });
  return verified;
}
