import type { ActingForMerchant, ActingScope, Actor } from '../domain/audit/actor.ts';
import { type GraphqlContext, scopeOf } from './context.ts';

type Asked = Pick<GraphqlContext, 'caller' | 'requestOrigin'>;

/** The scope of the caller, for a use case that changes something: with who asks, and from where. */
export function actingScopeOf(context: Asked): ActingScope {
  return { ...scopeOf(context), actor: actorOf(context) };
}

/** The same for what both environments share. */
export function actingForMerchant(context: Asked): ActingForMerchant {
  return { merchantId: scopeOf(context).merchantId, actor: actorOf(context) };
}

function actorOf({ caller, requestOrigin }: Asked): Actor | undefined {
  if (caller?.kind === 'api_key') return { ...requestOrigin, kind: 'API_KEY', id: caller.keyId };
  return (
    caller && { ...requestOrigin, kind: 'MEMBER', id: caller.memberId, walletAddress: caller.walletAddress }
  );
}
