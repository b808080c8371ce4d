import type { Caller } from '../../domain/kernel/access/caller.ts';
import type { Actor, RequestOrigin } from '../../domain/kernel/audit-log/actor.ts';

/** Describes the caller as an actor in the audit log. */
export function actorOf(caller: Caller, from: RequestOrigin): Actor {
  if (caller.kind === 'api_key') return { ...from, kind: 'API_KEY', id: caller.keyId };
  return { ...from, kind: 'MEMBER', id: caller.memberId, walletAddress: caller.walletAddress };
}
