import type { AppContext } from '../app.ts';
import type { Caller } from '../domain/merchant/caller.ts';
import { findClosedKeys } from '../domain/merchant/find-closed-keys.ts';
import { findEndedSessions } from '../domain/sign-in/find-ended-sessions.ts';
import { EndWatch } from './end-watch.ts';

/** Ends what a caller has open when its key is revoked or expires, or its session is over. */
export class KeyWatch {
  readonly #keys: EndWatch<{ keyId: string }>;
  readonly #sessions: EndWatch<{ sessionId: string }>;

  constructor(ctx: AppContext) {
    this.#keys = new EndWatch(ctx.log, {
      listen: () => ctx.live.subscribe('api-key.revoked', {}),
      idOf: ({ keyId }) => keyId,
      findEnded: (ids) => findClosedKeys(ctx, ids),
    });
    this.#sessions = new EndWatch(ctx.log, {
      listen: () => ctx.live.subscribe('member-session.ended', {}),
      idOf: ({ sessionId }) => sessionId,
      findEnded: (ids) => findEndedSessions(ctx, ids),
    });
  }

  /** Calls `end` once when the caller may have nothing open any more. Answers with what ends the watch. */
  watch(caller: Caller, end: () => void): () => void {
    if (caller.kind === 'api_key') return this.#keys.watch(caller.keyId, end);
    return this.#sessions.watch(caller.sessionId, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.#keys.close(), this.#sessions.close()]);
  }
}
