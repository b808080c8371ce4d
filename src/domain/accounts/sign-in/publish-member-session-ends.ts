import type { AppContext } from '../../../app.ts';

/**
 * Publishes that these member sessions have ended, so that every process closes their streams. The
 * sessions must already be deleted.
 */
export async function publishMemberSessionEnds(
  { live }: Pick<AppContext, 'live'>,
  sessions: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of sessions) await live.publish('member-session.ended', { sessionId: id });
}
