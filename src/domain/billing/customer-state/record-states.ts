// The state of a customer is a function of rows. It is stored with a version in the transaction that changes
// the rows, so that each change has one version, one event and no more. A renewal changes nothing of it.
//
// States are locked last, together, by merchant, environment and customer id. The rows are read after the lock, in
// a statement of their own: of two transactions that change one customer, the second one reads what the first
// one wrote.
import { isDeepStrictEqual } from 'node:util';
import { asRows } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { sequenceFloor, timelineOf } from '../../../db/timeline.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { beforeCommit } from '../../../jobs/in-transaction.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { recordEvents } from '../../messages/event/record-event.ts';
import { type CustomerSubscription, parseDocument, type StateDocument, stateAt } from './state-document.ts';

/** Names a merchant's customer: all customers with one id of the merchant, or one without such an id. */
export interface CustomerKey extends Scope {
  /** The merchant's id of the customer, or ours if the merchant gave none. */
  readonly customerId: string;
}

/** Maximum customers with one id of the merchant, newest first. Others are left out. */
const MAX_CUSTOMERS = 200;
/** Maximum subscriptions that are read of a customer: those that are not over first, then the newest. */
const MAX_READ = 200;

interface StoredState extends CustomerKey {
  readonly version: number;
  /** Above all versions that a lost history may have given out. */
  readonly nextVersion: number;
  readonly document: unknown;
  readonly changesAt: Date | null;
}

const marked = new WeakMap<DbTransaction, { readonly ids: Set<string>; readonly customers: CustomerKey[] }>();

/**
 * Lets the end of the transaction record the states of the customers of these subscriptions: those that have
 * them now, and those that have them then. Call it before a subscription is given to another customer.
 */
export async function markStates(
  tx: DbTransaction,
  subscriptionIds: readonly string[],
  now: Date,
): Promise<void> {
  if (subscriptionIds.length === 0) return;
  const customers = await customersOf(tx, subscriptionIds);
  const before = marked.get(tx);
  if (before) {
    for (const id of subscriptionIds) before.ids.add(id);
    before.customers.push(...customers);
    return;
  }
  const marks = { ids: new Set(subscriptionIds), customers };
  marked.set(tx, marks);
  beforeCommit(tx, async () => {
    await recordStates(tx, [...marks.customers, ...(await customersOf(tx, [...marks.ids]))], now);
  });
}

async function customersOf(
  tx: Pick<DbTransaction, '$queryRaw'>,
  subscriptionIds: readonly string[],
): Promise<CustomerKey[]> {
  return tx.$queryRaw<CustomerKey[]>`
    SELECT DISTINCT c."merchantId", c."environment"::text, coalesce(c."customerId", c."id"::text) AS "customerId"
    FROM "Subscription" s JOIN "Customer" c ON c."id" = s."customerId"
    WHERE s."id" = ANY(${subscriptionIds as string[]}::uuid[])`;
}

/**
 * Records the states of customers whose rows were changed in this transaction, with an event for each state that
 * differs from the one before.
 *
 * @param isFirst of customers whose state was never recorded: no event, because nothing has changed
 */
export async function recordStates(
  tx: DbTransaction,
  customers: readonly CustomerKey[],
  now: Date,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<void> {
  if (customers.length === 0) return;
  const keys = keysOf(customers);
  const stored = await lockStates(tx, keys);
  const subscriptions = Map.groupBy(await readSubscriptions(tx, keys, now), keyOf);
  const states = stored.map((before) => ({
    before,
    ...stateAt(subscriptions.get(keyOf(before)) ?? [], now),
  }));
  const changed = states.filter(
    ({ before, document }) => before.version === 0 || !isDeepStrictEqual(before.document, document),
  );
  const moved = states.filter(
    (state) => !changed.includes(state) && state.before.changesAt?.getTime() !== state.changesAt?.getTime(),
  );
  await writeStates(tx, changed, true);
  await writeStates(tx, moved, false);
  const told = changed.filter(({ before }) => before.version > 0 || !isFirst);
  await recordEvents(
    tx,
    told.map(
      ({
        before: { merchantId, environment, customerId, nextVersion, document: previous },
        document,
        changesAt,
      }) => ({
        merchantId,
        environment,
        subscriptionId: null,
        sequence: null,
        type: 'customer.state_changed',
        data: {
          customerId,
          version: nextVersion,
          ...document,
          validUntil: changesAt?.toISOString() ?? null,
          previous: summaryOf(previous),
        },
        at: now,
      }),
    ),
  );
}

/** What a stored document says in short; null without one, and for one that another release wrote. */
function summaryOf(stored: unknown): Pick<StateDocument, 'hasAccess' | 'features'> | null {
  const document = stored === null ? undefined : parseDocument(stored);
  return document ? { hasAccess: document.hasAccess, features: document.features } : null;
}

/** The names of customers as rows, each once. */
function keysOf(customers: readonly CustomerKey[]): string {
  const unique = new Map(customers.map((customer) => [keyOf(customer), customer]));
  return asRows(
    [...unique.values()].map(({ merchantId, environment, customerId }) => ({
      merchantId,
      environment,
      customerId,
    })),
  );
}

async function lockStates(tx: DbTransaction, keys: string): Promise<StoredState[]> {
  const named = Prisma.sql`jsonb_to_recordset(${keys}::jsonb) AS k("merchantId" uuid, "environment" "Environment", "customerId" text)`;
  await tx.$executeRaw`
    INSERT INTO "CustomerState" ("merchantId", "environment", "customerId")
    SELECT k."merchantId", k."environment", k."customerId" FROM ${named} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`;
  return tx.$queryRaw<StoredState[]>`
    SELECT s."merchantId", s."environment"::text, s."customerId", s."version", s."document", s."changesAt",
      greatest(s."version", ${sequenceFloor(Prisma.sql`s."environment"`)}) + 1 AS "nextVersion"
    FROM "CustomerState" s JOIN ${named} USING ("merchantId", "environment", "customerId")
    ORDER BY s."merchantId", s."environment", s."customerId" FOR UPDATE OF s`;
}

async function readSubscriptions(
  tx: Pick<DbTransaction, '$queryRaw'>,
  keys: string,
  now: Date,
): Promise<(CustomerSubscription & CustomerKey)[]> {
  return tx.$queryRaw<(CustomerSubscription & CustomerKey)[]>`
    SELECT k."merchantId", k."environment"::text, k."customerId", f.*
    FROM jsonb_to_recordset(${keys}::jsonb) AS k("merchantId" uuid, "environment" "Environment", "customerId" text)
    CROSS JOIN LATERAL (
      SELECT s."address" AS "subscriptionId", p."planId", s."status"::text, s."accessUntil", s."cancelAtPeriodEnd",
        s."nextPaymentAt", s."pausedFrom", s."pausedUntil", s."pauseKeepsAccess", s."startedAt", (
          SELECT jsonb_object_agg(f."key", coalesce(to_jsonb(f."limit"), 'true'::jsonb))
          FROM "PlanFeature" f WHERE f."planId" = p."id"
        ) AS "features"
      FROM (
        (SELECT "id" FROM "Customer" WHERE "merchantId" = k."merchantId" AND "environment" = k."environment"
          AND "customerId" = k."customerId" ORDER BY "id" DESC LIMIT ${MAX_CUSTOMERS})
        UNION ALL
        (SELECT "id" FROM "Customer" WHERE "id" = ${uuidOf(Prisma.sql`k."customerId"`)}
          AND "merchantId" = k."merchantId" AND "environment" = k."environment" AND "customerId" IS NULL)
      ) AS c
        JOIN "Subscription" s ON s."customerId" = c."id" JOIN "Plan" p ON p."id" = s."planId"
      ORDER BY (s."status" IN ('ACTIVE', 'PAST_DUE') OR s."accessUntil" > ${now}) DESC, s."startedAt" DESC, s."id"
      LIMIT ${MAX_READ}
    ) AS f`;
}

/** Our id of a customer as the database compares it; null if the text is an id of the merchant. */
export const uuidOf = (text: Prisma.Sql) =>
  Prisma.sql`CASE WHEN ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${text}::uuid END`;

/** Writes states, as a new version or as the same one. */
async function writeStates(
  tx: DbTransaction,
  states: readonly {
    readonly before: StoredState;
    readonly document: StateDocument;
    readonly changesAt: Date | null;
  }[],
  isNewVersion: boolean,
): Promise<void> {
  if (states.length === 0) return;
  const rows = asRows(
    states.map(({ before: { merchantId, environment, customerId, nextVersion }, document, changesAt }) => ({
      merchantId,
      environment,
      customerId,
      version: nextVersion,
      document,
      changesAt,
    })),
  );
  const newVersion = Prisma.sql`, "version" = r."version", "changedIn" = pg_current_xact_id()::text::bigint,
      "timeline" = ${timelineOf(Prisma.sql`s."environment"`)}`;
  await tx.$executeRaw`
    UPDATE "CustomerState" s SET "document" = r."document", "changesAt" = r."changesAt" ${isNewVersion ? newVersion : Prisma.empty}
    FROM jsonb_to_recordset(${rows}::jsonb) AS r("merchantId" uuid, "environment" "Environment", "customerId" text,
      "version" int, "document" jsonb, "changesAt" timestamptz)
    WHERE s."merchantId" = r."merchantId" AND s."environment" = r."environment" AND s."customerId" = r."customerId"`;
}

const keyOf = ({ merchantId, environment, customerId }: CustomerKey) =>
  `${merchantId} ${environment satisfies Environment} ${customerId}`;
