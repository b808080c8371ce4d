import { createHash } from 'node:crypto';
import type { ChainTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { memosOf } from '../../../chain/transactions/memo.ts';

// A memo ties a transaction to its checkout session. Otherwise anyone who watches the chain could
// complete another checkout with somebody else's subscription. The memo has the hash of the
// session's id, because the id is a secret. A transaction that reactivates a subscription also
// names the subscription's latest change. It can then undo only that change, never a later end.
const PREFIX = 'dues:checkout:';

interface Mark {
  /** Hash of the session's id. */
  readonly session: string;
  readonly after: string | undefined;
}

/**
 * The memo for a transaction of this session.
 *
 * @param after id of the latest change (`SubscriptionTransition`) of the subscription to
 *   reactivate; none for a new or unknown subscription
 */
export function sessionMemo(sessionId: string, after?: string): string {
  const mark = PREFIX + hashOf(sessionId);
  return after === undefined ? mark : `${mark}:${after}`;
}

/**
 * The session for which the transaction was built: `this` one, `another`, or `unmarked` if dues did
 * not build it. An unmarked transaction completes the first session that presents it.
 */
export function madeFor(transaction: ChainTransaction, sessionId: string): 'this' | 'another' | 'unmarked' {
  const marks = marksOf(transaction);
  if (marks.length === 0) return 'unmarked';
  return markOf(transaction, sessionId) ? 'this' : 'another';
}

/** The memo for this session in a transaction; undefined if there is none. */
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
