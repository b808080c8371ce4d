import { OWNS } from '../domain/member/role.ts';
import type { MemberCaller } from '../domain/merchant/caller.ts';
import { BillingError } from '../errors.ts';
import type { GraphqlContext } from './context.ts';

/** The member who asks. @throws BillingError authentication_error where it is a key, or nobody */
export function memberOf({ caller }: Pick<GraphqlContext, 'caller'>): MemberCaller {
  if (caller?.kind === 'member') return caller;
  throw new BillingError('authentication_error', 'This needs a member who is signed in to the dashboard.');
}

/** The same, who may change the profile and the team. @throws BillingError authentication_error */
export function ownerOf(context: Pick<GraphqlContext, 'caller'>): MemberCaller {
  const member = memberOf(context);
  if (OWNS.includes(member.role)) return member;
  throw new BillingError('authentication_error', 'This is for owners; your role is another.');
}
