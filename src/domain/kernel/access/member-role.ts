import type { ApiKeyScope, MemberRole } from '../../../generated/prisma/client.ts';

/**
 * The scopes of each role, the same as those of API keys, so that each field has one check. Only
 * owners may change the profile and the team (`OWNER_ROLES`). A key may not, because it belongs to
 * one environment, and both environments share the profile and the team.
 */
export const SCOPES_OF_ROLE: Readonly<Record<MemberRole, readonly ApiKeyScope[]>> = {
  OWNER: ['READ', 'WRITE', 'CHECKOUT'],
  DEVELOPER: ['READ', 'WRITE', 'CHECKOUT'],
  READ_ONLY: ['READ'],
};

/** The roles that may change the profile and the team. */
export const OWNER_ROLES: readonly MemberRole[] = ['OWNER'];
