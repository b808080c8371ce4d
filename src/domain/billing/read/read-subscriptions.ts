import { type Db, type PreparedStatement, runPreparedAsText } from '../../../db/db.ts';
import { parseTimestamp } from '../../../db/parse-timestamp.ts';
import { type ReadColumn, rowReader, type TextRow } from '../../../db/row-reader.ts';
import { type Customer, type Plan, Prisma, type Subscription } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ListPosition } from '../../kernel/paging/list-position.ts';
import type { Range } from '../../kernel/paging/numbered-page.ts';
import { countSubscriptions, SUBSCRIPTION_COUNT } from './count-subscriptions.ts';

/** A subscription with the customer and plan that every page shows. */
export type ListedSubscription = Subscription & { readonly plan: Plan; readonly customer: Customer };

type Columns<Row> = { readonly [Name in keyof Row]-?: ReadColumn };

const text: ReadColumn = (value) => value;
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
  authority: text,
  status: text,
  metadata: JSON.parse,
  trialGranted: flag,
  anchorOffsetSeconds: Number,
  startedAt: parseTimestamp,
  nextPaymentAt: parseTimestamp,
  nextAttemptAt: parseTimestamp,
  claimedUntil: parseTimestamp,
  paymentCount: Number,
  failureCount: Number,
  accessUntil: parseTimestamp,
  cancelledAt: parseTimestamp,
  closedAt: parseTimestamp,
  cancelAtPeriodEnd: flag,
  lastSequence: Number,
  mrr: (value) => new Prisma.Decimal(value),
  lineSources: Number,
  priceId: text,
  nextAmount: BigInt,
  pausedFrom: parseTimestamp,
  pausedUntil: parseTimestamp,
  pauseKeepsAccess: flag,
  waivedFrom: parseTimestamp,
  waivedUntil: parseTimestamp,
  discountRedemptionId: text,
  discountFrom: Number,
  discountUntil: Number,
  createdAt: parseTimestamp,
};

const CUSTOMER: Columns<Customer> = {
  id: text,
  merchantId: text,
  environment: text,
  email: text,
  customerId: text,
  walletAddress: text,
  billingName: text,
  billingAddress: text,
  taxId: text,
  remindersOffAt: parseTimestamp,
  createdAt: parseTimestamp,
};

const PLAN: Columns<Plan> = {
  id: text,
  merchantId: text,
  environment: text,
  planId: text,
  name: text,
  description: text,
  imageUrl: text,
  amount: BigInt,
  maxAmount: BigInt,
  periodSeconds: Number,
  intervalSeconds: Number,
  trialPeriodSeconds: Number,
  maxPausedPeriods: Number,
  graceSeconds: Number,
  retryPolicy: text,
  mint: text,
  tokenProgram: text,
  chainPlanId: BigInt,
  address: text,
  status: text,
  chainCreatedAt: BigInt,
  endsAt: parseTimestamp,
  createdAt: parseTimestamp,
  publishedAt: parseTimestamp,
  currentProblem: text,
  problem: text,
};

const columnList = (table: string, columns: object) =>
  Object.keys(columns)
    .map((name) => `${table}."${name}"`)
    .join(', ');

const CUSTOMER_INDEX = Object.keys(SUBSCRIPTION).length;
const PLAN_INDEX = CUSTOMER_INDEX + Object.keys(CUSTOMER).length;
const TOTAL_INDEX = PLAN_INDEX + Object.keys(PLAN).length;
const readSubscription = rowReader<Subscription>(SUBSCRIPTION, 0);
const readCustomer = rowReader<Customer>(CUSTOMER, CUSTOMER_INDEX);
const readPlan = rowReader<Plan>(PLAN, PLAN_INDEX);

// The page is found first by the index with its order. Then each row gets its customer, and the
// first row of each plan gets the plan, because a page has few plans.
const pageStatement = (name: string, extraColumns: string): PreparedStatement => ({
  name,
  text: `
    SELECT ${columnList('s', SUBSCRIPTION)}, ${columnList('c', CUSTOMER)}, ${columnList('p', PLAN)}${extraColumns}
    FROM (
      SELECT *, row_number() OVER (PARTITION BY "planId" ORDER BY "createdAt" DESC, "id" DESC) AS "ofPlan"
      FROM (
        SELECT * FROM "Subscription"
        WHERE "merchantId" = $1::uuid AND "environment" = $2::"Environment"
          AND ("createdAt", "id") < ($3::timestamptz, $4::uuid)
        ORDER BY "createdAt" DESC, "id" DESC OFFSET $5::int LIMIT $6::int) page) s
    CROSS JOIN LATERAL (SELECT * FROM "Customer" WHERE "id" = s."customerId" OFFSET 0) c
    LEFT JOIN LATERAL (SELECT * FROM "Plan" WHERE "id" = s."planId" AND s."ofPlan" = 1 OFFSET 0) p ON true
    ORDER BY s."createdAt" DESC, s."id" DESC`,
});
const PAGE = pageStatement('subscription.page', '');
const COUNTED_PAGE = pageStatement('subscription.counted-page', `, ${SUBSCRIPTION_COUNT}`);

const NEWEST = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * Reads `take` of a merchant's subscriptions, newest first, beginning after the position `before`.
 */
export async function readSubscriptions(
  db: Db,
  { merchantId, environment }: Scope,
  { before, take }: { readonly before: ListPosition | undefined; readonly take: number },
): Promise<ListedSubscription[]> {
  const createdAt = before?.createdAt.toISOString() ?? NEWEST.createdAt;
  const id = before?.id ?? NEWEST.id;
  return listed(await runPreparedAsText(db, PAGE, [merchantId, environment, createdAt, id, 0, take]));
}

/**
 * A page of a merchant's subscriptions, newest first, and their number, in one statement, because
 * merchants' backends request it often.
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
  // Without a row there is no count.
  const total = first ? Number(first[TOTAL_INDEX]) : await countSubscriptions(db, scope);
  return { data: listed(rows), total };
}

function listed(rows: readonly TextRow[]): ListedSubscription[] {
  const plans = new Map<string, Plan>();
  return rows.map((row) => {
    const subscription = readSubscription(row, new Listed());
    const plan = plans.get(subscription.planId) ?? readPlan(row);
    plans.set(subscription.planId, plan);
    return Object.assign(subscription, { customer: readCustomer(row), plan });
  });
}

/** The class of the rows that this file reads: `isListed` recognises them by it. */
class Listed {}

/** Whether a row was read here with its customer and plan. */
export function isListed(row: unknown): row is ListedSubscription {
  return row instanceof Listed;
}
