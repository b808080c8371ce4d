import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { inBatches } from '../../../db/in-batches.ts';
import type { StateRefresh } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { type CustomerKey, recordStates } from './record-states.ts';

/** Maximum states per transaction. */
const BATCH = 200;

/**
 * Records the states that time has changed, and those that were marked: of a plan whose features changed, of
 * customers that a release before this one has changed, and of customers until states were recorded.
 */
export async function refreshStates(ctx: AppContext): Promise<void> {
  const changed = await inBatches(BATCH, (size) => recordDue(ctx, size));
  const refreshed = await inBatches(1, () => refreshNext(ctx));
  if (changed + refreshed > 0) await notifyRelay(ctx);
}

async function recordDue(ctx: AppContext, size: number): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const due = await tx.$queryRaw<CustomerKey[]>`
      SELECT "merchantId", "environment"::text, "customerId" FROM "CustomerState" WHERE "changesAt" <= ${now}
      ORDER BY "changesAt" LIMIT ${size}`;
    await recordStates(tx, due, now);
    return due.length;
  });
}

/** Refreshes the next states that are marked. Returns 1 if any were. */
async function refreshNext(ctx: AppContext): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const [refresh] = await tx.$queryRaw<StateRefresh[]>`
      SELECT * FROM "StateRefresh" ORDER BY "id" LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!refresh) return 0;
    if (refresh.customerId !== null) await refreshCustomers(tx, ctx.clock.now());
    else await refreshPage(tx, refresh, ctx.clock.now());
    return 1;
  });
}

/** Refreshes the states of customers that are marked one by one: those whose marks are oldest. */
async function refreshCustomers(tx: DbTransaction, now: Date): Promise<void> {
  const marks = await tx.$queryRaw<(CustomerKey & { readonly id: bigint })[]>`
    SELECT "id", "merchantId", "environment"::text, "customerId" FROM "StateRefresh" WHERE "customerId" IS NOT NULL
    ORDER BY "id" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  await recordStates(tx, marks, now);
  await tx.stateRefresh.deleteMany({ where: { id: { in: marks.map(({ id }) => id) } } });
}

/** Refreshes the states of the next customers of a plan or a merchant. */
async function refreshPage(tx: DbTransaction, { id, ...mark }: StateRefresh, now: Date): Promise<void> {
  const { customers, last } = await nextCustomers(tx, mark);
  await recordStates(tx, customers, now, { isFirst: mark.planId === null });
  await tx.stateRefresh.delete({ where: { id } });
  // Behind the marks of others, so that a large plan does not delay them.
  if (last !== null) await tx.stateRefresh.create({ data: { ...mark, after: last } });
}

const keyOf = ({ merchantId, environment }: Scope, customerId: string): CustomerKey => ({
  merchantId,
  environment,
  customerId,
});

/** The customers of the next rows, and the last row; null at the end. */
async function nextCustomers(
  tx: Pick<DbTransaction, '$queryRaw'>,
  refresh: Omit<StateRefresh, 'id'>,
): Promise<{ readonly customers: CustomerKey[]; readonly last: string | null }> {
  const { merchantId, environment, planId, after } = refresh;
  const rows =
    planId === null
      ? await tx.$queryRaw<{ id: string; customerId: string }[]>`
          SELECT "id", coalesce("customerId", "id"::text) AS "customerId" FROM "Customer"
          WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
            AND (${after}::uuid IS NULL OR ("createdAt", "id") > (SELECT "createdAt", "id" FROM "Customer" WHERE "id" = ${after}::uuid))
          ORDER BY "createdAt", "id" LIMIT ${BATCH}`
      : await tx.$queryRaw<{ id: string; customerId: string }[]>`
          SELECT s."id", coalesce(c."customerId", c."id"::text) AS "customerId" FROM (
            SELECT "id", "customerId", "createdAt" FROM "Subscription" WHERE "planId" = ${planId}::uuid
              AND (${after}::uuid IS NULL OR ("createdAt", "id") > (SELECT "createdAt", "id" FROM "Subscription" WHERE "id" = ${after}::uuid))
            ORDER BY "createdAt", "id" LIMIT ${BATCH}) AS s
          JOIN "Customer" c ON c."id" = s."customerId" ORDER BY s."createdAt", s."id"`;
  const last = rows.length < BATCH ? null : (rows.at(-1)?.id ?? null);
  const customerIds = [...new Set(rows.map(({ customerId }) => customerId))];
  return { customers: customerIds.map((customerId) => keyOf(refresh, customerId)), last };
}
