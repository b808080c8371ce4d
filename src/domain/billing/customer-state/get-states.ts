import type { AppContext } from '../../../app.ts';
import { combineQueries } from '../../../db/combine-queries.ts';
import { type PreparedStatement, runPrepared } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { MAX_CUSTOMER_ID } from '../../accounts/customer/customers-named.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { recordStates, uuidOf } from './record-states.ts';
import { NO_ACCESS, parseDocument, type StateDocument } from './state-document.ts';

/** What a customer may do now. */
export interface CustomerStateNow extends StateDocument {
  readonly customerId: string;
  /** The number of changes so far; 0 of a customer who never subscribed. */
  readonly version: number;
  /** When it changes by time alone; null if it does not. */
  readonly validUntil: Date | null;
  readonly asOf: AsOf;
}

/** How far dues has followed the chain. */
export interface AsOf {
  /** All changes on chain up to this slot are in the state; null if no indexer has run. */
  readonly slot: bigint | null;
  /** Seconds since a block was last seen, by which the state may be behind; null if none was seen. */
  readonly mirrorBehindSeconds: number | null;
}

/** Maximum customers in one request. */
export const MAX_STATES = 100;

interface StateRow extends AsOf {
  readonly customerId: string;
  readonly version: number | null;
  readonly document: unknown;
  readonly changesAt: Date | null;
  /** Whether it must be recorded before it can be returned. */
  readonly isOutdated: boolean;
  /** Whether it was never recorded, because it is of a time before states were. */
  readonly isOfBefore: boolean;
}

/**
 * What a customer may do. A customer who never subscribed has no access.
 *
 * @throws BillingError invalid_request, param `customerId`
 */
export async function getState(ctx: AppContext, scope: Scope, customerId: string): Promise<CustomerStateNow> {
  validText('customerId', customerId, MAX_CUSTOMER_ID);
  const [state] = await readStates(ctx, scope, [customerId]);
  if (!state) throw new Error('one state was asked for');
  return state;
}

/**
 * What up to 100 customers may do, in their order.
 *
 * @throws BillingError invalid_request, param `customerIds`
 */
export async function getStates(
  ctx: AppContext,
  scope: Scope,
  customerIds: readonly string[],
): Promise<CustomerStateNow[]> {
  if (customerIds.length > MAX_STATES) {
    throw invalidRequest(
      'customerIds',
      `customerIds are ${customerIds.length}, and must be at most ${MAX_STATES}.`,
    );
  }
  for (const customerId of customerIds) validText('customerIds', customerId, MAX_CUSTOMER_ID);
  return readStates(ctx, scope, customerIds);
}

/** Reads states, and first records those that time or a mark has changed, so that none is outdated. */
export async function readStates(
  ctx: AppContext,
  scope: Scope,
  customerIds: readonly string[],
): Promise<CustomerStateNow[]> {
  const rows = await selectStates(ctx, scope, customerIds);
  for (const isFirst of [true, false]) {
    const outdated = rows.filter((row) => row.isOutdated && row.isOfBefore === isFirst);
    const customers = outdated.map(({ customerId }) => ({ ...scope, customerId }));
    if (customers.length === 0) continue;
    await inTransaction(ctx, (tx) => recordStates(tx, customers, ctx.clock.now(), { isFirst }));
  }
  if (!rows.some(({ isOutdated }) => isOutdated)) return rows.map(stateOf);
  await notifyRelay(ctx);
  return (await selectStates(ctx, scope, customerIds)).map(stateOf);
}

function stateOf({
  customerId,
  version,
  document,
  changesAt,
  slot,
  mirrorBehindSeconds,
}: StateRow): CustomerStateNow {
  return {
    ...documentOf(document),
    customerId,
    version: version ?? 0,
    validUntil: changesAt,
    asOf: {
      slot,
      mirrorBehindSeconds: mirrorBehindSeconds === null ? null : Math.floor(mirrorBehindSeconds),
    },
  };
}

function documentOf(stored: unknown): StateDocument {
  if (stored === null) return NO_ACCESS;
  const document = parseDocument(stored);
  // Never "no access" because of a form that this release does not know.
  if (!document) throw new Error('A newer release wrote this state.');
  return document;
}

/** A customer whose stored state is read. */
interface AskedCustomer extends Scope {
  readonly customerId: string;
}

/** A row as `pg` returns it; a bigint is a string. */
interface StoredRow extends Omit<StateRow, 'slot' | 'isOutdated' | 'isOfBefore'> {
  readonly slot: string | null;
  readonly hasMarks: boolean;
}

/** Marks are rare, so that only their existence is read with each state. */
const READ_STATES: PreparedStatement = {
  name: 'customer-states.read',
  text: `
    SELECT k."customerId", s."version", s."document", s."changesAt", p."slot",
      extract(epoch FROM now() - p."heardAt")::float8 AS "mirrorBehindSeconds", m."hasMarks"
    FROM unnest($1::uuid[], $2::"Environment"[], $3::text[])
        WITH ORDINALITY AS k("merchantId", "environment", "customerId", "at")
      LEFT JOIN LATERAL (
        SELECT "version", "document", "changesAt" FROM "CustomerState" c
        WHERE c."merchantId" = k."merchantId" AND c."environment" = k."environment"
          AND c."customerId" = k."customerId" OFFSET 0) s ON true
      LEFT JOIN LATERAL (
        SELECT EXISTS (SELECT FROM "StateRefresh" r WHERE r."merchantId" = k."merchantId"
          AND r."environment" = k."environment") AS "hasMarks" OFFSET 0) m ON true
      LEFT JOIN "StreamPosition" p ON p."environment" = k."environment"
    ORDER BY k."at"`,
};

const readStored = combineQueries((db, customers: readonly AskedCustomer[]) =>
  runPrepared<StoredRow>(db, READ_STATES, [
    customers.map(({ merchantId }) => merchantId),
    customers.map(({ environment }) => environment),
    customers.map(({ customerId }) => customerId),
  ]),
);

async function selectStates(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  scope: Scope,
  customerIds: readonly string[],
): Promise<StateRow[]> {
  const rows = await Promise.all(customerIds.map((customerId) => readStored(db, { ...scope, customerId })));
  const marks = rows.some(({ hasMarks }) => hasMarks)
    ? await readMarks(db, scope, customerIds)
    : new Map<string, Mark>();
  const now = clock.now();
  return rows.map(({ hasMarks: _, slot, ...row }) => {
    const mark = marks.get(row.customerId);
    const isOver = row.changesAt !== null && row.changesAt <= now;
    return {
      ...row,
      slot: slot === null ? null : BigInt(slot),
      isOutdated: isOver || mark?.isMarked === true || (row.version === null && mark?.isOfBefore === true),
      isOfBefore: row.version === null && mark?.isMarked !== true,
    };
  });
}

interface Mark {
  readonly customerId: string;
  /** Whether a mark names the customer, or a plan of the customer. */
  readonly isMarked: boolean;
  /** Whether the customer is of a time before states were recorded. */
  readonly isOfBefore: boolean;
}

async function readMarks(
  db: AppContext['db'],
  { merchantId, environment }: Scope,
  customerIds: readonly string[],
): Promise<Map<string, Mark>> {
  const scope = Prisma.sql`"merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"`;
  const isCustomer = Prisma.sql`("customerId" = k."customerId" OR ("id" = ${uuidOf(Prisma.sql`k."customerId"`)} AND "customerId" IS NULL))`;
  const marks = await db.$queryRaw<Mark[]>`
    WITH "mark" AS MATERIALIZED (SELECT "customerId", "planId" FROM "StateRefresh" WHERE ${scope})
    SELECT k."customerId", EXISTS (SELECT FROM "mark" WHERE "mark"."customerId" = k."customerId")
        OR (EXISTS (SELECT FROM "mark" WHERE "planId" IS NOT NULL) AND EXISTS (
          SELECT FROM "Customer" c JOIN "Subscription" u ON u."customerId" = c."id" JOIN "mark" m ON m."planId" = u."planId"
          WHERE c."id" IN (SELECT "id" FROM "Customer" WHERE ${scope} AND ${isCustomer}))) AS "isMarked",
      EXISTS (SELECT FROM "mark" WHERE ${OF_ALL}) AND EXISTS (
        SELECT FROM "Customer" WHERE ${scope} AND ${isCustomer}) AS "isOfBefore"
    FROM unnest(${customerIds as string[]}::text[]) AS k("customerId")`;
  return new Map(marks.map((mark) => [mark.customerId, mark]));
}

const OF_ALL = Prisma.sql`"mark"."customerId" IS NULL AND "mark"."planId" IS NULL`;
