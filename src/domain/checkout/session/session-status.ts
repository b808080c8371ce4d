import type { CheckoutSession, CheckoutSessionStatus } from '../../../generated/prisma/client.ts';

/** The status at `now`: a session expires at `expiresAt`, even before the row is updated. */
export function statusAt(
  { status, expiresAt }: Pick<CheckoutSession, 'status' | 'expiresAt'>,
  now: Date,
): CheckoutSessionStatus {
  return status === 'OPEN' && expiresAt <= now ? 'EXPIRED' : status;
}
