import { createHash } from 'node:crypto';
import type { ChainTransaction } from '../../chain/chain-transaction.ts';
import { memosOf } from '../../chain/memo.ts';

// A subscription that was paid for in one checkout must not complete another one: whoever watches the chain could claim
// somebody else's. So the transactions that we give to sign carry a mark of their session. The session's id itself is a
// secret; its hash is not. One that takes a subscription up again says after which change of it, too: it undoes that end
// and no later one.
const PREFIX = 'dues:checkout:';

interface Mark {
  /** Hash of the session's id. */
  readonly session: string;
  readonly after: string | undefined;
}

/**
 * What the transaction of this session says.
 *
 * @param after id of the change (`SubscriptionTransition`) that the subscription it takes up again stands at; none where
 *   nobody here has that subscription, or it is made
 */
export function sessionMemo(sessionId: string, after?: string): string {
  const mark = PREFIX + hashOf(sessionId);
  return after === undefined ? mark : `${mark}:${after}`;
}

/**
 * Which session the transaction was made for: `this` one, `another`, or `unmarked` where it was not built by us (a wallet
 * may build its own; such a one completes whichever session claims it first).
 */
export function madeFor(transaction: ChainTransaction, sessionId: string): 'this' | 'another' | 'unmarked' {
  const marks = marksOf(transaction);
  if (marks.length === 0) return 'unmarked';
  return markOf(transaction, sessionId) ? 'this' : 'another';
}

/** What the transaction says of this session; undefined where nothing. */
export function markOf(transaction: ChainTransaction, sessionId: string): Mark | undefined {
  const session = hashOf(sessionId);
  return marksOf(transaction).find((mark) => mark.session === session);
}

function marksOf(transaction: ChainTransaction): Mark[] {
  return memosOf(transaction)
    .filter((text) => text.startsWith(PREFIX))
    .map((text) => {
      const [session = '', after] = text.slice(PREFIX.length).split(':');
      return { session, after };
    });
}

function hashOf(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}
