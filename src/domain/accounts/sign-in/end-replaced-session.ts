import type { AppContext } from '../../../app.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import { publishMemberSessionEnds } from './publish-member-session-ends.ts';

/**
 * Ends the earlier member session of a browser that has signed in again, with its streams. The new
 * cookie replaces the old one, so the member could no longer sign out of the old session.
 */
export async function endReplacedSession(
  ctx: Pick<AppContext, 'db' | 'live'>,
  replaced: Pick<MemberCaller, 'sessionId'> | undefined,
): Promise<void> {
  if (!replaced) return;
  const ended = { id: replaced.sessionId };
  await ctx.db.memberSession.deleteMany({ where: ended });
  await publishMemberSessionEnds(ctx, [ended]);
}
