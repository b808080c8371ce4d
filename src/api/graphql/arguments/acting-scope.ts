import type { ActingForMerchant, ActingScope, Actor } from '../../../domain/kernel/audit-log/actor.ts';
import { actorOf } from '../../access/actor-of.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';

type CallerContext = Pick<GraphqlContext, 'caller' | 'requestOrigin'>;

/** The caller's scope and actor, for a use case that changes something. */
export function actingScopeOf(context: CallerContext): ActingScope {
  return { ...scopeOf(context), actor: actorIn(context) };
}

/** The caller's merchant and actor, for changes to data that both environments share. */
export function actingForMerchant(context: CallerContext): ActingForMerchant {
  return { merchantId: scopeOf(context).merchantId, actor: actorIn(context) };
}

function actorIn({ caller, requestOrigin }: CallerContext): Actor | undefined {
  return caller && actorOf(caller, requestOrigin);
}
