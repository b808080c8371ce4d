import type { AppContext } from '../../src/app.ts';
import { type SubscriptionFacts, subscriptionFacts } from '../../src/chain/accounts/account-facts.ts';
import { type PreparedStatement, runPrepared } from '../../src/db/db.ts';
import { isUnchanged, type KnownSubscription } from '../../src/domain/billing/lifecycle/is-unchanged.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import type { SeenAccount } from '../order/seen-account.ts';

/** An existing subscription account. */
export interface SeenSubscription {
  readonly seen: SeenAccount;
  readonly facts: SubscriptionFacts;
}

/** @throws AccountLayoutError */
export function seenSubscription(
  seen: SeenAccount & { readonly data: NonNullable<SeenAccount['data']> },
): SeenSubscription {
  return { seen, facts: subscriptionFacts(seen.data) };
}

/**
 * Mirrors the subscriptions of our plans in one statement, except those of which the mirror has a
 * newer state. Returns the mirrored ones that need a use case, because they do not match the
 * database. An address must not occur twice.
 *
 * The mirror is written first, because use cases read it. If the process crashes before a use case
 * runs, the state is seen and applied again.
 */
export async function applySubscriptions(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  subscriptions: readonly SeenSubscription[],
): Promise<SeenSubscription[]> {
  if (subscriptions.length === 0) return [];
  const mirrored = await runPrepared<{ address: string }>(db, MIRROR, [
    environment,
    plainArray(subscriptions.map(({ seen }) => seen.address)),
    plainArray(subscriptions.map(({ facts }) => facts.plan)),
    plainArray(subscriptions.map(({ seen }) => seen.slot)),
    plainArray(subscriptions.map(({ seen }) => seen.writeVersion)),
    plainArray(subscriptions.map(({ seen }) => Buffer.from(seen.data ?? []).toString('base64'))),
  ]);
  const written = new Set(mirrored.map(({ address }) => address));
  // A separate statement also sees changes that were committed while the mirror was written.
  const rows = await runPrepared<Row>(db, SUBSCRIPTIONS, [environment, plainArray([...written])]);
  const known = Map.groupBy(rows, ({ address }) => address);
  return subscriptions.filter(
    ({ seen, facts }) =>
      written.has(seen.address) &&
      !isUnchanged((known.get(seen.address) ?? []).map(knownSubscriptionOf), facts),
  );
}

/**
 * A PostgreSQL array literal of values that need no quotes: numbers, base58, base64. Given an
 * array, `pg` would check every character for quoting.
 */
function plainArray(values: readonly (string | bigint)[]): string {
  return `{${values.join(',')}}`;
}

/** A subscription that was not seen to be closed. */
interface Row {
  readonly address: string;
  readonly status: KnownSubscription['status'];
  readonly chainCreatedAt: string;
  readonly periodSeconds: number;
}

// The statement skips older states, which a replaced leader may still write. Rows are ordered, so
// that two writers of the same rows cannot deadlock.
const MIRROR: PreparedStatement = {
  name: 'mirror.subscriptions',
  text: `
    INSERT INTO "ChainAccount" ("environment", "address", "data", "closed", "slot", "writeVersion")
    SELECT $1::"Environment", r."address", decode(r."data", 'base64'), false, r."slot", r."writeVersion"
    FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
      AS r("address", "plan", "slot", "writeVersion", "data")
    WHERE r."plan" IN (
      SELECT p."address" FROM "Plan" p
      WHERE p."environment" = $1::"Environment" AND p."address" = ANY($3::text[]))
    ORDER BY r."address"
    ON CONFLICT ("environment", "address") DO UPDATE SET
      "data" = EXCLUDED."data", "closed" = false, "slot" = EXCLUDED."slot", "writeVersion" = EXCLUDED."writeVersion"
    WHERE ("ChainAccount"."slot", "ChainAccount"."writeVersion") <= (EXCLUDED."slot", EXCLUDED."writeVersion")
    RETURNING "address"`,
};

const SUBSCRIPTIONS: PreparedStatement = {
  name: 'mirror.known-subscriptions',
  text: `
    SELECT s."address", s."status"::text, s."chainCreatedAt", p."periodSeconds"
    FROM "Subscription" s JOIN "Plan" p ON p."id" = s."planId"
    WHERE s."environment" = $1::"Environment" AND s."address" = ANY($2::text[]) AND s."closedAt" IS NULL
    ORDER BY s."chainCreatedAt" DESC`,
};

function knownSubscriptionOf({ status, chainCreatedAt, periodSeconds }: Row): KnownSubscription {
  return { status, chainCreatedAt: BigInt(chainCreatedAt), periodSeconds };
}
