import type { AppContext } from '../../app.ts';

/**
 * Publishes that these member sessions have ended, so that every process closes their streams. They
 * are already deleted.
 */
export async function publishSessionEnds(
  { live }: Pick<AppContext, 'live'>,
  sessions: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of sessions) await live.publish('member-session.ended', { sessionId: id });
}
