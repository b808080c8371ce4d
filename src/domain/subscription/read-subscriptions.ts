import { types } from 'pg';
import { type Db, type PreparedStatement, runPreparedAsText } from '../../db.ts';
import type { Customer, Plan, Subscription } from '../../generated/prisma/client.ts';
import { type ReadColumn, rowReader, type TextRow } from '../../row-reader.ts';
import type { Range } from '../merchant/page.ts';
import type { Place } from '../merchant/place.ts';
import type { Scope } from '../merchant/scope.ts';
import { countSubscriptions, SUBSCRIPTION_COUNT } from './count-subscriptions.ts';

/** A subscription with what every page shows of it. */
export type ListedSubscription = Subscription & { readonly plan: Plan; readonly customer: Customer };

type Columns<Row> = { readonly [Name in keyof Row]-?: ReadColumn };

const text: ReadColumn = (value) => value;
const date: ReadColumn = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text');
const flag: ReadColumn = (value) => value === 't';

const SUBSCRIPTION: Columns<Subscription> = {
  id: text,
  merchantId: text,
  environment: text,
  planId: text,
  customerId: text,
  address: text,
  chainCreatedAt: BigInt,
  walletAddress: text,
  tokenAccount: text,
  status: text,
  metadata: JSON.parse,
  startedAt: date,
  nextPaymentAt: date,
  nextAttemptAt: date,
  claimedUntil: date,
  paymentCount: Number,
  failureCount: Number,
  accessUntil: date,
  cancelledAt: date,
  closedAt: date,
  cancelAtPeriodEnd: flag,
  lastSequence: Number,
  createdAt: date,
};

const CUSTOMER: Columns<Customer> = {
  id: text,
  merchantId: text,
  environment: text,
  email: text,
  customerId: text,
  walletAddress: text,
  createdAt: date,
};

const PLAN: Columns<Plan> = {
  id: text,
  merchantId: text,
  environment: text,
  planId: text,
  name: text,
  description: text,
  amount: BigInt,
  intervalSeconds: Number,
  trialPeriodSeconds: Number,
  mint: text,
  tokenProgram: text,
  chainPlanId: BigInt,
  address: text,
  status: text,
  chainCreatedAt: BigInt,
  endsAt: date,
  createdAt: date,
  publishedAt: date,
};

const listOf = (table: string, columns: object) =>
  Object.keys(columns)
    .map((name) => `${table}."${name}"`)
    .join(', ');

const CUSTOMER_AT = Object.keys(SUBSCRIPTION).length;
const PLAN_AT = CUSTOMER_AT + Object.keys(CUSTOMER).length;
const readSubscription = rowReader<Subscription>(SUBSCRIPTION, 0);
const readCustomer = rowReader<Customer>(CUSTOMER, CUSTOMER_AT);
const readPlan = rowReader<Plan>(PLAN, PLAN_AT);

// The page is found first, by the index that has its order; then each of its rows takes its customer and its plan.
const pageStatement = (name: string, more: string): PreparedStatement => ({
  name,
  text: `
    SELECT ${more}${listOf('s', SUBSCRIPTION)}, ${listOf('c', CUSTOMER)}, ${listOf('p', PLAN)}
    FROM (
      SELECT * FROM "Subscription"
      WHERE "merchantId" = $1::uuid AND "environment" = $2::"Environment"
        AND ("createdAt", "id") < ($3::timestamptz, $4::uuid)
      ORDER BY "createdAt" DESC, "id" DESC OFFSET $5::int LIMIT $6::int) s
    CROSS JOIN LATERAL (SELECT * FROM "Customer" WHERE "id" = s."customerId" OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM "Plan" WHERE "id" = s."planId" OFFSET 0) p
    ORDER BY s."createdAt" DESC, s."id" DESC`,
});
const PAGE = pageStatement('subscription.page', '');
const COUNTED_PAGE = pageStatement('subscription.counted-page', `${SUBSCRIPTION_COUNT}, `);

const NEWEST = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Some of a merchant's subscriptions, newest first, from a place on. */
export async function readSubscriptions(
  db: Db,
  { merchantId, environment }: Scope,
  { before, take }: { readonly before: Place | undefined; readonly take: number },
): Promise<ListedSubscription[]> {
  const { createdAt, id } = before ?? NEWEST;
  return listed(await runPreparedAsText(db, PAGE, [merchantId, environment, createdAt, id, 0, take]));
}

/**
 * A page of a merchant's subscriptions, newest first, and how many there are: in one statement, for this is what its backend
 * asks for again and again.
 */
export async function readSubscriptionPage(
  db: Db,
  scope: Scope,
  { skip, take }: Range,
): Promise<{ data: ListedSubscription[]; total: number }> {
  const { merchantId, environment } = scope;
  const values = [merchantId, environment, NEWEST.createdAt, NEWEST.id, skip, take];
  const rows = await runPreparedAsText(db, COUNTED_PAGE, values);
  const [first] = rows;
  // No row, no count with it.
  const total = first ? Number(first[0]) : await countSubscriptions(db, scope);
  return { data: listed(rows.map((row) => row.slice(1))), total };
}

function listed(rows: readonly TextRow[]): ListedSubscription[] {
  // Most of a page is of few plans.
  const plans = new Map<string | null | undefined, Plan>();
  return rows.map((row) => {
    const planId = row[PLAN_AT];
    const plan = plans.get(planId) ?? readPlan(row);
    plans.set(planId, plan);
    return Object.assign(readSubscription(row), { customer: readCustomer(row), plan });
  });
}
