import type { ActingForMerchant, ActingScope, Actor } from '../../domain/audit/actor.ts';
import { type GraphqlContext, scopeOf } from './context.ts';

type Asked = Pick<GraphqlContext, 'caller' | 'requestOrigin'>;

/** The caller's scope and actor, for a use case that changes something. */
export function actingScopeOf(context: Asked): ActingScope {
  return { ...scopeOf(context), actor: actorOf(context) };
}

/** The caller's merchant and actor, for changes to what both environments share. */
export function actingForMerchant(context: Asked): ActingForMerchant {
  return { merchantId: scopeOf(context).merchantId, actor: actorOf(context) };
}

function actorOf({ caller, requestOrigin }: Asked): Actor | undefined {
  if (caller?.kind === 'api_key') return { ...requestOrigin, kind: 'API_KEY', id: caller.keyId };
  return (
    caller && { ...requestOrigin, kind: 'MEMBER', id: caller.memberId, walletAddress: caller.walletAddress }
  );
}
