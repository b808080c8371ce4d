import type { MemberCaller } from '../../../domain/kernel/access/caller.ts';
import { OWNER_ROLES } from '../../../domain/kernel/access/member-role.ts';
import { BillingError } from '../../../errors.ts';
import type { GraphqlContext } from '../context.ts';

/** The signed-in member; undefined for an API key or without credentials. */
export function memberIfAny({ caller }: Pick<GraphqlContext, 'caller'>): MemberCaller | undefined {
  return caller?.kind === 'member' ? caller : undefined;
}

/**
 * The signed-in member.
 *
 * @throws BillingError authentication_error for an API key or without credentials
 */
export function memberOf(context: Pick<GraphqlContext, 'caller'>): MemberCaller {
  const member = memberIfAny(context);
  if (member) return member;
  throw new BillingError('authentication_error', 'This needs a member who is signed in to the dashboard.');
}

/**
 * The signed-in member, whose role must allow changes of the profile and the team.
 *
 * @throws BillingError authentication_error
 */
export function ownerOf(context: Pick<GraphqlContext, 'caller'>): MemberCaller {
  const member = memberOf(context);
  if (OWNER_ROLES.includes(member.role)) return member;
  throw new BillingError('authentication_error', 'Only owners may do this.');
}
