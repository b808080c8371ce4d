import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Price } from '../../../generated/prisma/client.ts';
import { getPlan } from '../../catalog/plan/get-plan.ts';
import { publishPlans } from '../../catalog/plan/publish-plans.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { LINE_SOURCES } from './line-sources.ts';

/** Subscriptions that are read and marked in one database transaction. */
const BATCH_SIZE = 1_000;

/** Maximum prices of a plan, so that all of them can be read at once. */
const MAX_VERSIONS = 100;

/**
 * Creates the plan's next price, which new subscriptions get. Existing ones keep theirs.
 *
 * @param amount base units of the token, from 1 to the plan's limit
 * @throws BillingError not_found or invalid_request, param `planId`; invalid_request, param `amount`
 */
export async function createPrice(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  scope: ActingScope,
  planId: string,
  amount: bigint,
): Promise<Price> {
  const { id, maxAmount } = await getPlan(ctx, scope, planId);
  if (amount <= 0n || amount > maxAmount) {
    throw invalidRequest(
      'amount',
      `amount is ${amount}, and must be from 1 to ${maxAmount}, the limit of the plan: a higher price needs a new plan.`,
    );
  }
  const next = { planId: id, maxAmount, amount };
  let after: Position | undefined = START;
  while (after) after = await markPriced(ctx.db, next, after, BATCH_SIZE);
  const { plan, price } = await ctx.db.$transaction(async (tx) => {
    // It waits for subscriptions that are being written with the price so far.
    await tx.$queryRaw`SELECT 1 FROM "Plan" WHERE "id" = ${id}::uuid FOR UPDATE`;
    await markPriced(tx, next, START, null);
    const { version } = await tx.price.findFirstOrThrow({
      where: { planId: id },
      orderBy: { version: 'desc' },
    });
    if (version >= MAX_VERSIONS) {
      throw invalidRequest('planId', `The plan has ${version} prices, the maximum: create a new plan.`);
    }
    const data = { id: uuidv7(), planId: id, version: version + 1, amount, createdAt: ctx.clock.now() };
    const changes = newFields({ version: data.version, amount });
    await recordAudit(ctx, tx, scope, { action: 'price.created', targetId: planId, changes });
    const price = await tx.price.create({ data });
    return { price, plan: await tx.plan.update({ where: { id }, data: { amount } }) };
  });
  await publishPlans(ctx, [plan]);
  return price;
}

interface NextPrice {
  readonly planId: string;
  readonly maxAmount: bigint;
  readonly amount: bigint;
}

/** The position of a subscription in the index of its plan's subscriptions. */
interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

const START: Position = { createdAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/**
 * Reads the plan's subscriptions after a position, at most `max` (null: all), and marks those that the
 * release before would charge another amount, or twice, when the plan has its next price. Returns the
 * position of the last one, or undefined if none is left. The mark ends a claim: the database clears
 * it, so that the payment that a worker has prepared is not sent, and is claimed again.
 */
async function markPriced(
  db: Pick<DbTransaction, '$queryRaw'>,
  { planId, maxAmount, amount }: NextPrice,
  after: Position,
  max: number | null,
): Promise<Position | undefined> {
  // Everything that locks several subscriptions locks them in the order of their ids.
  const [last] = await db.$queryRaw<Position[]>`
    WITH "page" AS MATERIALIZED (
      SELECT "id", "createdAt" FROM "Subscription"
      WHERE "planId" = ${planId}::uuid AND ("createdAt", "id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)
      ORDER BY "createdAt", "id" LIMIT ${max}::int
    ), "unmarked" AS (
      SELECT s."id" FROM "Subscription" s WHERE s."id" IN (SELECT "id" FROM "page")
        AND s."lineSources" & ${LINE_SOURCES.PRICE}::int = 0
        AND (${maxAmount !== amount}::boolean
          OR NOT EXISTS (SELECT FROM "Price" r WHERE r."id" = s."priceId" AND r."amount" = ${amount}))
      ORDER BY s."id" FOR UPDATE
    ), "marked" AS (
      UPDATE "Subscription" SET "lineSources" = "lineSources" | ${LINE_SOURCES.PRICE}::int
      WHERE "id" IN (SELECT "id" FROM "unmarked")
    )
    SELECT "createdAt", "id" FROM "page" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1`;
  return last;
}
