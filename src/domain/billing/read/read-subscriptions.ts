import { type Db, type PreparedStatement, runPreparedAsText } from '../../../db/db.ts';
import { parseTimestamp } from '../../../db/parse-timestamp.ts';
import { type ReadColumn, rowReader, type TextRow } from '../../../db/row-reader.ts';
import { type Customer, type Plan, Prisma, type Subscription } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ListPosition } from '../../kernel/paging/list-position.ts';
import type { Range } from '../../kernel/paging/numbered-page.ts';
import { countSubscriptions, SUBSCRIPTION_COUNT } from './count-subscriptions.ts';

/** A listed subscription with the columns that were read of it, of its customer and of its plan. */
export type ListedSubscription<
  S extends keyof Subscription = keyof Subscription,
  C extends keyof Customer = keyof Customer,
  P extends keyof Plan = keyof Plan,
> = Pick<Subscription, S> & { readonly customer: Pick<Customer, C>; readonly plan: Pick<Plan, P> };

/** The columns that a list shows of each subscription. */
export interface ListedColumns<
  S extends keyof Subscription = keyof Subscription,
  C extends keyof Customer = keyof Customer,
  P extends keyof Plan = keyof Plan,
> {
  readonly subscription: readonly S[];
  readonly customer: readonly C[];
  readonly plan: readonly P[];
}

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
  collectWithinSeconds: Number,
  maxCollectWithinSeconds: Number,
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

const TABLES: Readonly<Record<keyof ListedColumns, object>> = {
  subscription: SUBSCRIPTION,
  customer: CUSTOMER,
  plan: PLAN,
};

/** Whether a table has a column with this name. */
export function isColumn(table: keyof ListedColumns, name: string): boolean {
  return Object.hasOwn(TABLES[table], name);
}

/** The columns by which a list is ordered, and its plans are found. */
const POSITION = ['id', 'createdAt', 'planId'] as const;
/** The owner of a plan, because others may not see some of its fields. */
const OWNER = ['merchantId', 'environment'] as const;

/** How the rows of a list are read: the statements, and what they return. */
export interface ListedRows<Row = ListedSubscription> {
  readonly page: PreparedStatement;
  /** The page with the total in the last column. */
  readonly countedPage: PreparedStatement;
  read(rows: readonly TextRow[]): Row[];
}

/**
 * Maximum different sets of columns. All connections prepare each of them, which takes 300 kB of PostgreSQL's memory.
 * Further lists read all columns.
 */
export const MAX_COLUMN_SETS = 20;
const columnSets = new Map<string, ListedRows>();

/** Lists with these columns, in any order. They also have those of the order, and the owner of the plan. */
export function listedRows<
  S extends keyof Subscription,
  C extends keyof Customer = never,
  P extends keyof Plan = never,
>({ subscription, customer, plan }: ListedColumns<S, C, P>): ListedRows<ListedSubscription<S, C, P>> {
  const tables = [
    only(SUBSCRIPTION, [...POSITION, ...subscription]),
    only(CUSTOMER, customer),
    only(PLAN, plan.length > 0 ? [...OWNER, ...plan] : []),
  ] as const;
  const key = tables.map((columns) => Object.keys(columns).join()).join(';');
  const known = columnSets.get(key);
  if (!known && columnSets.size >= MAX_COLUMN_SETS) return ALL_ROWS;
  const rows = known ?? createRows(`${columnSets.size}`, ...tables);
  columnSets.set(key, rows);
  return rows as unknown as ListedRows<ListedSubscription<S, C, P>>;
}

/** Some of the columns, in the order of the table. The others are missing in the rows. */
function only<Row>(columns: Columns<Row>, names: readonly (keyof Row)[]): Columns<Row> {
  const entries = Object.entries(columns).filter(([name]) => names.includes(name as keyof Row));
  return Object.fromEntries(entries) as Columns<Row>;
}

function createRows(
  name: string,
  subscription: Columns<Subscription>,
  customer: Columns<Customer>,
  plan: Columns<Plan>,
): ListedRows {
  const readSubscription = rowReader<Subscription>(subscription, 0);
  const customerIndex = Object.keys(subscription).length;
  const readCustomer = rowReader<Customer>(customer, customerIndex);
  const readPlan = rowReader<Plan>(plan, customerIndex + Object.keys(customer).length);
  const columns = [...columnsOf('s', subscription), ...columnsOf('c', customer), ...columnsOf('p', plan)];
  return {
    page: pageStatement(`subscription.page/${name}`, columns),
    countedPage: pageStatement(`subscription.counted-page/${name}`, [...columns, SUBSCRIPTION_COUNT]),
    read(rows) {
      const plans = new Map<string, Plan>();
      return rows.map((row) => {
        const listed = readSubscription(row, new Listed()) as ListedSubscription;
        const plan = plans.get(listed.planId) ?? readPlan(row, new Listed());
        plans.set(listed.planId, plan);
        return Object.assign(listed, { customer: readCustomer(row, new Listed()), plan });
      });
    },
  };
}

const columnsOf = (table: string, columns: object) =>
  Object.keys(columns).map((name) => `${table}."${name}"`);

// The page is found first by the index with its order. Then each row gets its customer, and the
// first row of each plan gets the plan, because a page has few plans.
const pageStatement = (name: string, columns: readonly string[]): PreparedStatement => ({
  name,
  text: `
    SELECT ${columns.join(', ')}
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

/** The class of the rows that this file reads: `isListed` recognises them by it. */
class Listed {}

/** Whether a subscription, customer or plan was read here. */
export function isListed(row: unknown): row is Readonly<Record<string, unknown>> {
  return row instanceof Listed;
}

/** Lists with all columns. */
export const ALL_ROWS: ListedRows = createRows('all', SUBSCRIPTION, CUSTOMER, PLAN);

const NEWEST = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * Reads `take` of a merchant's subscriptions, newest first, beginning after the position `before`.
 */
export async function readSubscriptions<Row>(
  db: Db,
  { merchantId, environment }: Scope,
  { before, take }: { readonly before: ListPosition | undefined; readonly take: number },
  rows: ListedRows<Row>,
): Promise<Row[]> {
  const createdAt = before?.createdAt.toISOString() ?? NEWEST.createdAt;
  const id = before?.id ?? NEWEST.id;
  return rows.read(await runPreparedAsText(db, rows.page, [merchantId, environment, createdAt, id, 0, take]));
}

/**
 * A page of a merchant's subscriptions, newest first, and their number, in one statement, because
 * merchants' backends request it often.
 */
export async function readSubscriptionPage<Row>(
  db: Db,
  scope: Scope,
  { skip, take }: Range,
  rows: ListedRows<Row>,
): Promise<{ data: Row[]; total: number }> {
  const { merchantId, environment } = scope;
  const values = [merchantId, environment, NEWEST.createdAt, NEWEST.id, skip, take];
  const texts = await runPreparedAsText(db, rows.countedPage, values);
  const [first] = texts;
  // Without a row there is no count.
  const total = first ? Number(first.at(-1)) : await countSubscriptions(db, scope);
  return { data: rows.read(texts), total };
}
