import type { AppContext } from '../../app.ts';
import { findClosedKeys } from '../../domain/accounts/api-key/find-closed-keys.ts';
import { findEndedSessions } from '../../domain/accounts/sign-in/find-ended-sessions.ts';
import type { Caller } from '../../domain/kernel/access/caller.ts';
import { CredentialWatch } from './credential-watch.ts';

/**
 * Ends the open streams of a caller when its API key is revoked or expires, or its member session
 * ends.
 */
export class KeyWatch {
  readonly #keys: CredentialWatch<{ keyId: string }>;
  readonly #sessions: CredentialWatch<{ sessionId: string }>;

  constructor(ctx: AppContext) {
    this.#keys = new CredentialWatch(ctx.log, {
      listen: () => ctx.live.subscribe('api-key.revoked', {}),
      idOf: ({ keyId }) => keyId,
      findEnded: (ids) => findClosedKeys(ctx, ids),
    });
    this.#sessions = new CredentialWatch(ctx.log, {
      listen: () => ctx.live.subscribe('member-session.ended', {}),
      idOf: ({ sessionId }) => sessionId,
      findEnded: (ids) => findEndedSessions(ctx, ids),
    });
  }

  /**
   * Calls `end` once when the caller's credential ends. Returns a function that stops the watch.
   */
  watch(caller: Caller, end: () => void): () => void {
    if (caller.kind === 'api_key') return this.#keys.watch(caller.keyId, end);
    return this.#sessions.watch(caller.sessionId, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.#keys.close(), this.#sessions.close()]);
  }
}
