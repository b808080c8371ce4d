import type { ActingForMerchant, ActingScope, Actor } from '../../domain/audit/actor.ts';
import { actorOf } from '../access/actor-of.ts';
import { type GraphqlContext, scopeOf } from './context.ts';

type Asked = Pick<GraphqlContext, 'caller' | 'requestOrigin'>;

/** The caller's scope and actor, for a use case that changes something. */
export function actingScopeOf(context: Asked): ActingScope {
  return { ...scopeOf(context), actor: actor(context) };
}

/** The caller's merchant and actor, for changes to what both environments share. */
export function actingForMerchant(context: Asked): ActingForMerchant {
  return { merchantId: scopeOf(context).merchantId, actor: actor(context) };
}

function actor({ caller, requestOrigin }: Asked): Actor | undefined {
  return caller && actorOf(caller, requestOrigin);
}
