import { NotSeenYet } from './not-seen-yet.ts';

const underWay = new Map<string, { readonly signature: string; readonly verified: Promise<unknown> }>();

/**
 * Runs `verify`, once for all who ask about the same signature of a session at the same time, and for one signature of a
 * session at a time: looking for one asks the cluster several times, and a call that needs no key must not be worth
 * repeating.
 *
 * @throws NotSeenYet invalid_request, param `signature`
 */
export function verifyingOnce<T>(
  { sessionId, signature }: { readonly sessionId: string; readonly signature: string },
  verify: () => Promise<T>,
): Promise<T> {
  const other = underWay.get(sessionId);
  if (other?.signature === signature) return other.verified as Promise<T>;
  if (other) {
    return Promise.reject(
      new NotSeenYet('Another transaction of this checkout is being looked for: try again soon.'),
    );
  }
  const verified = verify().finally(() => underWay.delete(sessionId));
  underWay.set(sessionId, { signature, verified });
  return verified;
}
