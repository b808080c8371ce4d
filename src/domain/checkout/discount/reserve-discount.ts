import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { CheckoutSession, Discount, Plan } from '../../../generated/prisma/client.ts';
import { whyNotOffered } from '../../billing/discount/is-offered.ts';
import { takeRedemption } from '../../billing/discount/take-redemption.ts';
import { LANDING_SECONDS } from '../../billing/schedule/period.ts';
import { identitiesOf, isUsedUpBy, limitsCustomers } from './customer-limit.ts';
import { lockRedemption } from './lock-redemption.ts';

/** A checkout with the discount that it shows. */
export type DiscountedSession = CheckoutSession & {
  readonly plan: Plan;
  readonly discount: Discount | null;
};

/** A transaction that was handed out usually completes its session within this time. */
export const SETTLING_MS = 2 * Number(LANDING_SECONDS) * 1000;

/**
 * Refuses a wallet whose checkout shows a discount that is over, before anything is asked of the node. In a rush
 * for a few redemptions most wallets end here. One that passes may still come too late: `reserveDiscount` decides.
 *
 * @throws BillingError invalid_request, param `code`
 */
export async function refuseUsedUp(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { id: sessionId, discount, plan }: DiscountedSession,
): Promise<void> {
  if (!discount || !whyNotOffered(discount, plan, clock.now())) return;
  const held = await db.discountRedemption.count({ where: { sessionId, status: 'RESERVED' } });
  if (held === 0) throw discountGone();
}

/**
 * Reserves a redemption of the discount that a session shows, before the wallet gets transactions to sign. The
 * session holds it until its transactions can no longer land. Repeated calls hold one redemption.
 *
 * @throws BillingError invalid_request, param `code`, if the wallet does not get the discount any more
 */
export async function reserveDiscount(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  session: DiscountedSession,
  wallet: string,
): Promise<void> {
  const { discount } = session;
  if (!discount) return;
  await db.$transaction(async (tx) => {
    if (!(await isShown(tx, session.id, discount))) throw discountGone();
    const held = await lockRedemption(tx, session.id);
    const reservation = { session, discount, identities: identitiesOf(session, wallet), now: clock.now() };
    if (held?.status === 'RESERVED') return handOutAgain(tx, reservation, held, wallet);
    // It was left by an activation that started no subscription.
    if (held) await tx.discountRedemption.update({ where: { id: held.id }, data: { sessionId: null } });
    if (whyNotOffered(discount, session.plan, reservation.now)) throw discountGone();
    await requireLeft(tx, reservation, wallet);
    await take(tx, reservation);
  });
}

const discountGone = () =>
  invalidRequest(
    'code',
    'The discount can no longer be used for this checkout: remove it, or enter another code.',
  );

/** Locks the session. Returns whether it is open and shows the discount. */
async function isShown(tx: DbTransaction, sessionId: string, { id }: Discount): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "CheckoutSession"
    WHERE "id" = ${sessionId} AND "discountId" = ${id}::uuid AND "status" = 'OPEN' FOR UPDATE`;
  return rows.length > 0;
}

interface Reservation {
  readonly session: CheckoutSession;
  readonly discount: Discount;
  readonly identities: readonly string[];
  readonly now: Date;
}

/** Refuses a customer who has used up the discount. Two checkouts of one customer are counted one after the other. */
async function requireLeft(
  tx: DbTransaction,
  { session, discount }: Reservation,
  wallet: string,
): Promise<void> {
  if (!limitsCustomers(discount)) return;
  await tx.$queryRaw`SELECT 1 FROM "Discount" WHERE "id" = ${discount.id}::uuid FOR UPDATE`;
  if (await isUsedUpBy(tx, discount, session, wallet)) throw discountGone();
}

/**
 * Takes a redemption for the session. The discount comes last, because its row is locked until the commit, and all
 * other checkouts with it wait.
 */
async function take(tx: DbTransaction, { session, discount, identities, now }: Reservation): Promise<void> {
  await tx.discountRedemption.create({
    data: {
      id: uuidv7(),
      discountId: discount.id,
      sessionId: session.id,
      identities: [...identities],
      status: 'RESERVED',
      expiresAt: new Date(session.expiresAt.getTime() + SETTLING_MS),
      handedOutAt: now,
      createdAt: now,
    },
  });
  if (!(await takeRedemption(tx, discount.id))) throw discountGone();
}

/** Hands out transactions of a session that holds a redemption, perhaps to a further wallet. */
async function handOutAgain(
  tx: DbTransaction,
  reservation: Reservation,
  held: { readonly id: string; readonly identities: readonly string[] },
  wallet: string,
): Promise<void> {
  const { identities: named, now } = reservation;
  if (!named.every((identity) => held.identities.includes(identity))) {
    await requireLeft(tx, reservation, wallet);
  }
  const identities = [...new Set([...held.identities, ...named])].sort();
  await tx.discountRedemption.update({ where: { id: held.id }, data: { identities, handedOutAt: now } });
}
