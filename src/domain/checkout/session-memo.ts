import { createHash } from 'node:crypto';
import type { ChainTransaction } from '../../chain/chain-transaction.ts';
import { memosOf } from '../../chain/memo.ts';

// A subscription that was paid for in one checkout must not complete another one: whoever watches the chain could claim
// somebody else's. So the transactions that we give to sign carry a mark of their session. The session's id itself is a
// secret; its hash is not.
const PREFIX = 'dues:checkout:';

/** What the transaction of this session says. */
export function sessionMemo(sessionId: string): string {
  return PREFIX + createHash('sha256').update(sessionId).digest('base64url');
}

/**
 * Which session the transaction was made for: `this` one, `another`, or `unmarked` where it was not built by us (a wallet
 * may build its own; such a one completes whichever session claims it first).
 */
export function madeFor(transaction: ChainTransaction, sessionId: string): 'this' | 'another' | 'unmarked' {
  const marks = memosOf(transaction).filter((text) => text.startsWith(PREFIX));
  if (marks.length === 0) return 'unmarked';
  return marks.includes(sessionMemo(sessionId)) ? 'this' : 'another';
}
