import type { MemberSession } from '../../generated/prisma/client.ts';

/** Unused for so long, a session ends. */
const IDLE_MS = 12 * 3_600_000;
/** However much it is used, it ends after so long: sign in again. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
/** What use it is to write down that it was used again. */
const WORTH_A_WRITE_MS = 60_000;

type Ends = Pick<MemberSession, 'idleUntil' | 'expiresAt'>;

/** The ends of a session that begins now. */
export function newEnds(now: Date): Ends {
  return { idleUntil: idleFrom(now), expiresAt: new Date(now.getTime() + LIFETIME_MS) };
}

export function isOpen({ idleUntil, expiresAt }: Ends, now: Date): boolean {
  return now < idleUntil && now < expiresAt;
}

/** Where use moves its idle end to; undefined where that is less than a minute further. */
export function movedIdleEnd({ idleUntil }: Ends, now: Date): Date | undefined {
  const moved = idleFrom(now);
  return moved.getTime() - idleUntil.getTime() >= WORTH_A_WRITE_MS ? moved : undefined;
}

function idleFrom(now: Date): Date {
  return new Date(now.getTime() + IDLE_MS);
}
