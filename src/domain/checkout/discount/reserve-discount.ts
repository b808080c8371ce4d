import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import { invalidRequest } from '../../../errors.ts';
import type {
  CheckoutSession,
  Discount,
  DiscountRedemption,
  Plan,
} from '../../../generated/prisma/client.ts';
import { whyNotOffered } from '../../billing/discount/is-offered.ts';
import { LANDING_SECONDS } from '../../billing/schedule/period.ts';
import { identitiesOf, isUsedUpBy, limitsCustomers } from './customer-limit.ts';

/** A checkout with the discount that it shows. */
export type DiscountedSession = CheckoutSession & {
  readonly plan: Plan;
  readonly discount: Discount | null;
  readonly redemption: DiscountRedemption | null;
};

/** A transaction that was sent in time usually completes its session within this time. */
const SETTLING_MS = 2 * Number(LANDING_SECONDS) * 1000;

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
  const { discount, redemption } = session;
  if (!discount) return;
  const identities = identitiesOf(session, wallet);
  const isHeld = redemption?.status === 'RESERVED';
  if (isHeld && identities.every((identity) => redemption.identities.includes(identity))) return;
  const now = clock.now();
  if (!isHeld && whyNotOffered(discount, session.plan, now)) throw discountGone();
  const reservation = { session, discount, identities, now };
  const reserve = (tx: Writing) => (isHeld ? addWallet(tx, reservation) : takeOnce(tx, reservation));
  if (!limitsCustomers(discount)) {
    if (!(await reserve(db))) throw discountGone();
    return;
  }
  await db.$transaction(async (tx) => {
    // Two checkouts of one customer are counted one after the other.
    await tx.$queryRaw`SELECT 1 FROM "Discount" WHERE "id" = ${discount.id}::uuid FOR UPDATE`;
    if (await isUsedUpBy(tx, discount, session, wallet)) throw discountGone();
    if (!(await reserve(tx))) throw discountGone();
  });
}

const discountGone = () =>
  invalidRequest(
    'code',
    'The discount can no longer be used for this checkout: remove it, or enter another code.',
  );

type Writing = Pick<DbTransaction, '$executeRaw'>;

interface Reservation {
  readonly session: CheckoutSession;
  readonly discount: Discount;
  readonly identities: readonly string[];
  readonly now: Date;
}

/** Takes a redemption for the session; false if none is left, or the session shows another discount now. */
async function takeOnce(db: Writing, { session, discount, identities, now }: Reservation): Promise<boolean> {
  const expiresAt = new Date(session.expiresAt.getTime() + SETTLING_MS);
  try {
    // One statement, so that the discount is locked for a short time.
    const taken = await db.$executeRaw`
      WITH "shown" AS (
        SELECT "id" FROM "CheckoutSession"
        WHERE "id" = ${session.id} AND "discountId" = ${discount.id}::uuid AND "status" = 'OPEN' FOR UPDATE
      ), "taken" AS (
        UPDATE "Discount" SET "taken" = "taken" + 1
        WHERE "id" = ${discount.id}::uuid AND EXISTS (SELECT FROM "shown")
          AND ("maxRedemptions" IS NULL OR "taken" < "maxRedemptions")
        RETURNING "id"
      )
      INSERT INTO "DiscountRedemption" ("id", "discountId", "sessionId", "identities", "status", "expiresAt", "createdAt")
      SELECT ${uuidv7()}::uuid, "id", ${session.id}, ${[...identities]}::text[], 'RESERVED', ${expiresAt}, ${now}
      FROM "taken"`;
    return taken > 0;
  } catch (error) {
    // A concurrent request of the session holds the redemption.
    if (isUniqueViolation(error)) return true;
    throw error;
  }
}

/** Remembers a further wallet of a session that holds a redemption. */
async function addWallet(db: Writing, { session, discount, identities }: Reservation): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE "DiscountRedemption" SET "identities" = ARRAY(
      SELECT DISTINCT unnest("identities" || ${[...identities]}::text[]) ORDER BY 1)
    WHERE "sessionId" = ${session.id} AND "discountId" = ${discount.id}::uuid AND "status" = 'RESERVED'`;
  return count > 0;
}
