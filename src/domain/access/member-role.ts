import type { ApiKeyScope, MemberRole } from '../../generated/prisma/client.ts';

/**
 * The scopes of each role, the same as those of API keys, so that each field has one check. In
 * addition only owners change the profile and the team (`OWNS`). A key cannot, because it belongs
 * to one environment and these are shared by both.
 */
export const SCOPES_OF_ROLE: Readonly<Record<MemberRole, readonly ApiKeyScope[]>> = {
  OWNER: ['READ', 'WRITE', 'CHECKOUT'],
  DEVELOPER: ['READ', 'WRITE', 'CHECKOUT'],
  READ_ONLY: ['READ'],
};

/** The roles that may change the profile and the team. */
export const OWNER_ROLES: readonly MemberRole[] = ['OWNER'];
