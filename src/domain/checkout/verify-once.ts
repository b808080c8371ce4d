import { NotSeenYet } from './not-seen-yet.ts';

const underWay = new Map<string, { readonly signature: string; readonly verified: Promise<unknown> }>();

/**
 * Runs `verify` once for concurrent calls with one signature, and for one signature of a session at
 * a time. A verification calls the cluster several times, and this call needs no key.
 *
 * @throws NotSeenYet invalid_request, param `signature`
 */
export function verifyOnce<T>(
  { sessionId, signature }: { readonly sessionId: string; readonly signature: string },
  verify: () => Promise<T>,
): Promise<T> {
  const other = underWay.get(sessionId);
  if (other?.signature === signature) return other.verified as Promise<T>;
  if (other) {
    return Promise.reject(
      new NotSeenYet('Another transaction of this checkout is being verified: try again in a moment.'),
    );
  }
  const verified = verify().finally(() => underWay.delete(sessionId));
  underWay.set(sessionId, { signature, verified });
  return verified;
}
