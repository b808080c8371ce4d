import type { ApiKeyScope, MemberRole } from '../../generated/prisma/client.ts';

/**
 * What a member may do, in the words of API keys, so that every field asks one question of both. Beyond it only owners
 * change the profile and the team (`OWNS`): a key cannot, for it opens one environment and these are shared by both.
 */
export const SCOPES_OF_ROLE: Readonly<Record<MemberRole, readonly ApiKeyScope[]>> = {
  OWNER: ['READ', 'WRITE', 'CHECKOUT'],
  DEVELOPER: ['READ', 'WRITE', 'CHECKOUT'],
  READ_ONLY: ['READ'],
};

/** May change the profile and the team. */
export const OWNS: readonly MemberRole[] = ['OWNER'];
