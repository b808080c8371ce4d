import type { CheckoutSession, CheckoutSessionStatus } from '../../generated/prisma/client.ts';

/** Its status at `now`: time is over at `expiresAt`, whether or not somebody has written that down yet. */
export function statusAt(
  { status, expiresAt }: Pick<CheckoutSession, 'status' | 'expiresAt'>,
  now: Date,
): CheckoutSessionStatus {
  return status === 'OPEN' && expiresAt <= now ? 'EXPIRED' : status;
}
