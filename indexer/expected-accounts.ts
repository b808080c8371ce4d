import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import { subscriptionAddress } from '../src/chain/addresses.ts';
import { type Db, type PreparedStatement, runPrepared } from '../src/db.ts';
import type { KnownLife } from '../src/domain/subscription/is-as-known.ts';
import type { Environment } from '../src/generated/prisma/client.ts';

const ACCOUNTS_A_PAGE = 1_000;
/** Before the newest checkout that can have been signed for unseen. */
const CHECKOUTS_AGO = '1 day';

/** A life of an address that was not seen to be closed. */
export interface ExpectedLife extends KnownLife {
  readonly id: string;
  /** It is cancelled, by its subscriber: who may take that back. */
  readonly cancelledOnChain: boolean;
  readonly wallet: Address;
  readonly mint: Address;
  /** Undefined where it was never found out. */
  readonly authority: Address | undefined;
}

/** An account of ours that is on chain, may be, or was. */
export interface ExpectedAccount {
  readonly address: Address;
  /** Undefined where nothing is. */
  readonly mirrored: { readonly slot: bigint; readonly closed: boolean; readonly digest: string } | undefined;
  /** Newest first. */
  readonly lives: readonly ExpectedLife[];
}

/**
 * Every account that can concern the books, a page at a time, each with what we have of it:
 *
 * 1. our plans, those that are yet to be published too;
 * 2. subscriptions that we know and that were not seen to be closed, and whatever else is open in the mirror;
 * 3. the subscription that each checkout would have made that has none yet and gave out its transactions: its app may have
 *    died after signing. Those are left out that were over a day before the mirror's position: their subscriptions have
 *    been seen.
 *
 * What else the program has is nobody's here: a subscription to one of our plans of which no checkout of ours knows is
 * never collected from. To ask a node for all accounts of the program, or of a plan, would take an answer without a bound,
 * which many nodes refuse.
 */
export async function* expectedAccounts(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): AsyncGenerator<readonly ExpectedAccount[]> {
  for (let after = ''; ; ) {
    const page = accountsOf(await runPrepared<Row>(db, KNOWN, [environment, after]));
    yield page;
    const last = page.at(-1);
    if (!last || page.length < ACCOUNTS_A_PAGE) break;
    after = last.address;
  }
  for await (const addresses of checkoutAddresses(db, environment)) {
    yield accountsOf(await runPrepared<Row>(db, NAMED, [environment, addresses]));
  }
}

interface Row {
  readonly address: Address;
  readonly slot: string | null;
  readonly closed: boolean;
  readonly digest: string;
  readonly id: string | null;
  readonly status: ExpectedLife['status'];
  readonly reason: string | null;
  readonly chainCreatedAt: string;
  readonly wallet: Address;
  readonly authority: Address | null;
  readonly mint: Address;
  readonly intervalSeconds: number;
}

const WHAT_WE_HAVE = `
  SELECT e."address", a."slot", a."closed", encode(sha256(a."data"), 'hex') AS "digest",
    CASE WHEN s."status" = 'CANCELLED' THEN (
      SELECT t."reason" FROM "SubscriptionTransition" t WHERE t."subscriptionId" = s."id"
      ORDER BY t."at" DESC, t."id" DESC LIMIT 1) END AS "reason",
    s."id", s."status"::text, s."chainCreatedAt", s."walletAddress" AS "wallet", s."authority", p."mint",
    p."intervalSeconds"
  FROM expected e
    LEFT JOIN "ChainAccount" a ON a."environment" = $1::"Environment" AND a."address" = e."address"
    LEFT JOIN "Subscription" s
      ON s."environment" = $1::"Environment" AND s."address" = e."address" AND s."closedAt" IS NULL
    LEFT JOIN "Plan" p ON p."id" = s."planId"
  ORDER BY e."address", s."chainCreatedAt" DESC`;

// Each branch reads so much of its index as a page has, of addresses: a page of fewer is the last. The limit is no parameter: unknown, it would be taken for a tenth of
// the table, and all of it sorted for each page.
const KNOWN: PreparedStatement = {
  name: 'mirror.known-accounts',
  text: `
    WITH expected AS (
      SELECT "address" FROM (
        (SELECT "address" FROM "Plan" WHERE "environment" = $1::"Environment" AND "address" > $2
          ORDER BY "address" LIMIT ${ACCOUNTS_A_PAGE})
        UNION
        (SELECT DISTINCT "address" FROM "Subscription"
          WHERE "environment" = $1::"Environment" AND "address" > $2 AND "closedAt" IS NULL
          ORDER BY "address" LIMIT ${ACCOUNTS_A_PAGE})
        UNION
        (SELECT "address" FROM "ChainAccount"
          WHERE "environment" = $1::"Environment" AND "address" > $2 AND NOT "closed"
          ORDER BY "address" LIMIT ${ACCOUNTS_A_PAGE})
      ) AS known ORDER BY "address" LIMIT ${ACCOUNTS_A_PAGE}
    ) ${WHAT_WE_HAVE}`,
};

const NAMED: PreparedStatement = {
  name: 'mirror.named-accounts',
  text: `WITH expected AS (SELECT DISTINCT unnest($2::text[]) AS "address") ${WHAT_WE_HAVE}`,
};

function accountsOf(rows: readonly Row[]): ExpectedAccount[] {
  const byAddress = Map.groupBy(rows, ({ address }) => address);
  return [...byAddress].map(([address, of]) => {
    const { slot, closed, digest } = of[0] as Row;
    const mirrored = slot === null ? undefined : { slot: BigInt(slot), closed, digest };
    return { address, mirrored, lives: of.flatMap(lifeOf) };
  });
}

function lifeOf({
  id,
  status,
  reason,
  chainCreatedAt,
  wallet,
  authority,
  mint,
  intervalSeconds,
}: Row): ExpectedLife[] {
  if (id === null) return [];
  const life = { id, status, wallet, mint, intervalSeconds, authority: authority ?? undefined };
  const cancelledOnChain = reason === 'cancelled_on_chain';
  return [{ ...life, cancelledOnChain, chainCreatedAt: BigInt(chainCreatedAt) }];
}

async function* checkoutAddresses(db: Db, environment: Environment): AsyncGenerator<Address[]> {
  for (let after = ''; ; ) {
    const page = await db.$queryRaw<{ id: string; plan: Address; wallet: Address }[]>`
      SELECT c."id", p."address" AS "plan", c."walletAddress" AS "wallet"
      FROM "CheckoutSession" c JOIN "Plan" p ON p."id" = c."planId"
      WHERE c."environment" = ${environment}::"Environment" AND c."status" IN ('OPEN', 'EXPIRED')
        AND c."walletAddress" IS NOT NULL AND c."id" > ${after} AND c."expiresAt" >= coalesce(
          (SELECT "updatedAt" - ${CHECKOUTS_AGO}::interval FROM "StreamPosition"
            WHERE "environment" = ${environment}::"Environment"), '-infinity')
      ORDER BY c."id" LIMIT ${ACCOUNTS_A_PAGE}`;
    yield await Promise.all(page.map(({ plan, wallet }) => subscriptionAddress(plan, wallet)));
    const last = page.at(-1);
    if (!last || page.length < ACCOUNTS_A_PAGE) return;
    after = last.id;
  }
}
