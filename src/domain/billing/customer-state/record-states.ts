// The state of a customer is a function of rows. It is stored with a version in the transaction that changes
// the rows, so that each change has one version, one event and no more. A renewal changes nothing of it.
//
// Lock order: subscriptions by id, then states by merchant, environment and customer id. The rows are read
// after the lock, in a statement of their own: of two transactions that change one customer, the second one
// reads what the first one wrote.
import { isDeepStrictEqual } from 'node:util';
import { asRows } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
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
  readonly document: unknown;
  readonly changesAt: Date | null;
}

/** The customers of these subscriptions. */
export async function customersOf(
  tx: Pick<DbTransaction, '$queryRaw'>,
  subscriptionIds: readonly string[],
): Promise<CustomerKey[]> {
  if (subscriptionIds.length === 0) return [];
  return tx.$queryRaw<CustomerKey[]>`
    SELECT DISTINCT c."merchantId", c."environment"::text, coalesce(c."customerId", c."id"::text) AS "customerId"
    FROM "Subscription" s JOIN "Customer" c ON c."id" = s."customerId"
    WHERE s."id" = ANY(${subscriptionIds}::uuid[])`;
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
  const keys = asRows(
    customers.map(({ merchantId, environment, customerId }) => ({ merchantId, environment, customerId })),
  );
  const stored = await lockStates(tx, keys);
  const subscriptions = Map.groupBy(await readSubscriptions(tx, keys, now), keyOf);
  const states = stored.map((before) => ({
    before,
    ...stateAt(subscriptions.get(keyOf(before)) ?? [], now),
  }));
  const changed = states.filter(
    ({ before, document }) =>
      before.version === 0 || !isDeepStrictEqual(parseDocument(before.document), document),
  );
  const moved = states.filter(
    (state) => !changed.includes(state) && state.before.changesAt?.getTime() !== state.changesAt?.getTime(),
  );
  await writeStates(tx, changed, 1);
  await writeStates(tx, moved, 0);
  const told = changed.filter(({ before }) => before.version > 0 || !isFirst);
  await recordEvents(
    tx,
    told.map(
      ({
        before: { merchantId, environment, customerId, version, document: previous },
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
          version: version + 1,
          ...document,
          validUntil: changesAt?.toISOString() ?? null,
          previous: previous === null ? null : summaryOf(parseDocument(previous)),
        },
        at: now,
      }),
    ),
  );
}

const summaryOf = ({ hasAccess, features }: StateDocument) => ({ hasAccess, features });

async function lockStates(tx: DbTransaction, keys: string): Promise<StoredState[]> {
  const named = Prisma.sql`jsonb_to_recordset(${keys}::jsonb) AS k("merchantId" uuid, "environment" "Environment", "customerId" text)`;
  await tx.$executeRaw`
    INSERT INTO "CustomerState" ("merchantId", "environment", "customerId")
    SELECT k."merchantId", k."environment", k."customerId" FROM ${named} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`;
  return tx.$queryRaw<StoredState[]>`
    SELECT s."merchantId", s."environment"::text, s."customerId", s."version", s."document", s."changesAt"
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

/** Writes states, with `versions` more versions. */
async function writeStates(
  tx: DbTransaction,
  states: readonly {
    readonly before: StoredState;
    readonly document: StateDocument;
    readonly changesAt: Date | null;
  }[],
  versions: 0 | 1,
): Promise<void> {
  if (states.length === 0) return;
  const rows = asRows(
    states.map(({ before: { merchantId, environment, customerId }, document, changesAt }) => ({
      merchantId,
      environment,
      customerId,
      document,
      changesAt,
    })),
  );
  await tx.$executeRaw`
    UPDATE "CustomerState" s SET "document" = r."document", "changesAt" = r."changesAt",
      "version" = s."version" + ${versions}::int,
      "changedIn" = CASE WHEN ${versions}::int > 0 THEN pg_current_xact_id()::text::bigint ELSE s."changedIn" END
    FROM jsonb_to_recordset(${rows}::jsonb) AS r("merchantId" uuid, "environment" "Environment", "customerId" text,
      "document" jsonb, "changesAt" timestamptz)
    WHERE s."merchantId" = r."merchantId" AND s."environment" = r."environment" AND s."customerId" = r."customerId"`;
}

const keyOf = ({ merchantId, environment, customerId }: CustomerKey) =>
  `${merchantId} ${environment satisfies Environment} ${customerId}`;
