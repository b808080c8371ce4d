import type { AppContext } from '../src/app.ts';
import { type SubscriptionFacts, subscriptionFacts } from '../src/chain/account-facts.ts';
import { type PreparedStatement, runPrepared } from '../src/db.ts';
import { isAsKnown, type KnownLife } from '../src/domain/subscription/is-as-known.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { SeenAccount } from './seen-account.ts';

/** A subscription's account that is there. */
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
 * Mirrors subscriptions in one statement, however many: those to our plans of which nothing newer has been seen. Answers
 * with those that a use case has to hear of; the rest says what the books say already. Each address once.
 *
 * The mirror comes first, because use cases go by it, and what is seen again is judged again: a process that died between
 * the two sees it again.
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
  // A statement of its own: it has to see what somebody changed while the mirror was written.
  const rows = await runPrepared<Row>(db, LIVES, [environment, plainArray([...written])]);
  const lives = Map.groupBy(rows, ({ address }) => address);
  return subscriptions.filter(
    ({ seen, facts }) =>
      written.has(seen.address) && !isAsKnown((lives.get(seen.address) ?? []).map(lifeOf), facts),
  );
}

/** PostgreSQL's word for an array of what needs no quotes: numbers, base58, base64. `pg` would look at every character. */
function plainArray(values: readonly (string | bigint)[]): string {
  return `{${values.join(',')}}`;
}

/** A life that was not seen to be closed. */
interface Row {
  readonly address: string;
  readonly status: KnownLife['status'];
  readonly chainCreatedAt: string;
  readonly intervalSeconds: number;
}

// A leader that has just been followed by another may still be here with something older, so the rows are asked again; and
// in one order, so that two who write the same ones wait for each other in turn.
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

const LIVES: PreparedStatement = {
  name: 'mirror.lives',
  text: `
    SELECT s."address", s."status"::text, s."chainCreatedAt", p."intervalSeconds"
    FROM "Subscription" s JOIN "Plan" p ON p."id" = s."planId"
    WHERE s."environment" = $1::"Environment" AND s."address" = ANY($2::text[]) AND s."closedAt" IS NULL
    ORDER BY s."chainCreatedAt" DESC`,
};

function lifeOf({ status, chainCreatedAt, intervalSeconds }: Row): KnownLife {
  return { status, chainCreatedAt: BigInt(chainCreatedAt), intervalSeconds };
}
