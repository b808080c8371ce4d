import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import { type SubscriptionFacts, subscriptionFacts } from '../src/chain/account-facts.ts';
import type { Db } from '../src/db.ts';
import { asRows } from '../src/db-rows.ts';
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
  const written = await mirrorAll(db, environment, subscriptions);
  const mirrored = subscriptions.filter(({ seen }) => written.has(seen.address));
  const lives = await livesAt(
    db,
    environment,
    mirrored.map(({ seen }) => seen.address),
  );
  return mirrored.filter(({ seen, facts }) => !isAsKnown(lives.get(seen.address) ?? [], facts));
}

async function mirrorAll(
  db: Db,
  environment: Environment,
  subscriptions: readonly SeenSubscription[],
): Promise<Set<string>> {
  const rows = subscriptions.map(({ seen: { address, data, slot, writeVersion }, facts: { plan } }) => ({
    ...{ address, plan, slot, writeVersion },
    data: Buffer.from(data ?? []).toString('base64'),
  }));
  // A leader that has just been followed by another may still be here with something older, so the rows are asked
  // again; and in one order, so that two who write the same ones wait for each other in turn.
  const written = await db.$queryRaw<{ address: string }[]>`
    INSERT INTO "ChainAccount" ("environment", "address", "data", "closed", "slot", "writeVersion")
    SELECT ${environment}::"Environment", r."address", decode(r."data", 'base64'), false, r."slot", r."writeVersion"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("address" text, "plan" text, "slot" bigint,
      "writeVersion" bigint, "data" text)
    WHERE EXISTS (
      SELECT 1 FROM "Plan" p WHERE p."environment" = ${environment}::"Environment" AND p."address" = r."plan")
    ORDER BY r."address"
    ON CONFLICT ("environment", "address") DO UPDATE SET
      "data" = EXCLUDED."data", "closed" = false, "slot" = EXCLUDED."slot", "writeVersion" = EXCLUDED."writeVersion"
    WHERE ("ChainAccount"."slot", "ChainAccount"."writeVersion") <= (EXCLUDED."slot", EXCLUDED."writeVersion")
    RETURNING "address"`;
  return new Set(written.map(({ address }) => address));
}

/** The lives of these addresses that were not seen to be closed, newest first. */
export async function livesAt(
  db: Db,
  environment: Environment,
  addresses: readonly Address[],
): Promise<Map<string, KnownLife[]>> {
  const rows = await db.$queryRaw<(KnownLife & { address: string })[]>`
    SELECT s."address", s."status"::text, s."chainCreatedAt", p."intervalSeconds"
    FROM "Subscription" s JOIN "Plan" p ON p."id" = s."planId"
    WHERE s."environment" = ${environment}::"Environment" AND s."address" = ANY(${addresses}) AND s."closedAt" IS NULL
    ORDER BY s."chainCreatedAt" DESC`;
  return Map.groupBy(rows, ({ address }) => address);
}
