import type { MemberSession } from '../../../generated/prisma/client.ts';

/** A member session ends after this time without use. */
const IDLE_MS = 12 * 3_600_000;
/** A member session ends after this time in any case. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
/** Smaller extensions are not stored. */
const MIN_EXTENSION_MS = 60_000;

type Ends = Pick<MemberSession, 'idleUntil' | 'expiresAt'>;

/** The expiry times of a new member session. */
export function newEnds(now: Date): Ends {
  return { idleUntil: idleFrom(now), expiresAt: new Date(now.getTime() + LIFETIME_MS) };
}

export function isOpen({ idleUntil, expiresAt }: Ends, now: Date): boolean {
  return now < idleUntil && now < expiresAt;
}

/** The extended idle time; undefined if it is less than a minute later. */
export function movedIdleEnd({ idleUntil }: Ends, now: Date): Date | undefined {
  const moved = idleFrom(now);
  return moved.getTime() - idleUntil.getTime() >= MIN_EXTENSION_MS ? moved : undefined;
}

function idleFrom(now: Date): Date {
  return new Date(now.getTime() + IDLE_MS);
}
