import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import { type Price, Prisma } from '../../../generated/prisma/client.ts';
import { getPlan } from '../../catalog/plan/get-plan.ts';
import { publishPlans } from '../../catalog/plan/publish-plans.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { LINE_SOURCES } from './line-sources.ts';

/** Subscriptions that are marked in one database transaction. */
const BATCH_SIZE = 1_000;

/**
 * Creates the plan's next price, which new subscriptions get. Existing ones keep theirs.
 *
 * @param amount base units of the token, from 1 to the plan's limit
 * @throws BillingError not_found, param `planId`; invalid_request, param `amount`
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
  while ((await markPriced(ctx.db, id)) > 0);
  const { plan, price } = await ctx.db.$transaction(async (tx) => {
    // It waits for subscriptions that are being written with the price so far.
    await tx.$queryRaw`SELECT 1 FROM "Plan" WHERE "id" = ${id}::uuid FOR UPDATE`;
    while ((await markPriced(tx, id)) > 0);
    const { version } = await tx.price.findFirstOrThrow({
      where: { planId: id },
      orderBy: { version: 'desc' },
    });
    const data = { id: uuidv7(), planId: id, version: version + 1, amount, createdAt: ctx.clock.now() };
    const changes = newFields({ version: data.version, amount });
    await recordAudit(ctx, tx, scope, { action: 'price.created', targetId: planId, changes });
    const price = await tx.price.create({ data });
    return { price, plan: await tx.plan.update({ where: { id }, data: { amount } }) };
  });
  await publishPlans(ctx, [plan]);
  return price;
}

/**
 * Marks subscriptions of the plan whose price will no longer be its amount, so that processes of the
 * release before leave them alone. Returns the number of marked ones.
 */
function markPriced(db: Pick<DbTransaction, '$executeRaw'>, planId: string): Promise<number> {
  return db.$executeRaw(Prisma.sql`
    UPDATE "Subscription" SET "lineSources" = "lineSources" | ${LINE_SOURCES.PRICE}::int
    WHERE "id" IN (SELECT "id" FROM "Subscription"
      WHERE "planId" = ${planId}::uuid AND "lineSources" & ${LINE_SOURCES.PRICE}::int = 0
      ORDER BY "id" LIMIT ${BATCH_SIZE} FOR UPDATE)`);
}
