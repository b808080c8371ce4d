import type { AppContext } from '../../app.ts';

/** Has what these sessions opened closed, in every process. They are gone from the database already. */
export async function announceEnd(
  { live }: Pick<AppContext, 'live'>,
  sessions: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of sessions) await live.publish('member-session.ended', { sessionId: id });
}
