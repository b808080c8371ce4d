import type { Address } from '@solana/kit';
import type { AppContext } from '../../src/app.ts';
import { subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import { type Db, type PreparedStatement, runPrepared } from '../../src/db/db.ts';
import { isCancelledOnChain } from '../../src/domain/billing/book/status.ts';
import type { KnownSubscription } from '../../src/domain/billing/lifecycle/is-unchanged.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';

const ACCOUNTS_PER_PAGE = 1_000;
/** Checkout sessions that expired more than this before the position last advanced are left out. */
const MAX_CHECKOUT_AGE = '1 day';

/** A subscription at an address that was not seen to be closed. */
export interface ExpectedSubscription extends KnownSubscription {
  readonly id: string;
  /** Whether its subscriber cancelled it, and may therefore resume it. */
  readonly cancelledOnChain: boolean;
  readonly wallet: Address;
  readonly mint: Address;
  /** Undefined if it was never derived. */
  readonly authority: Address | undefined;
}

/** An account of ours that exists on chain, may exist, or existed. */
export interface ExpectedAccount {
  readonly address: Address;
  /** Undefined if it is not mirrored. */
  readonly mirrored: { readonly slot: bigint; readonly closed: boolean; readonly digest: string } | undefined;
  /** Newest first. */
  readonly subscriptions: readonly ExpectedSubscription[];
}

/**
 * A page of accounts and the address after which the next page begins; those of checkouts come
 * after all addresses.
 */
export interface ExpectedPage {
  readonly accounts: readonly ExpectedAccount[];
  readonly last: string;
}

/**
 * Every account that can concern our books, in pages, each with its stored state:
 *
 * 1. our plans, including drafts;
 * 2. known subscriptions that were not seen to be closed, and all other open accounts of the
 *    mirror;
 * 3. the possible subscriptions of each checkout session that has a wallet but is not completed:
 *    its app may have stopped after signing. Sessions that expired more than a day before the
 *    position last advanced are left out, because their subscriptions would have been seen.
 *
 * Other accounts of the program do not concern us: a subscription to our plan without a checkout is
 * never collected. A request for all accounts of the program or of a plan would have an unbounded
 * response, and many nodes refuse it.
 *
 * @param from the `last` of the previous page
 */
export async function* expectedAccounts(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  from = '',
): AsyncGenerator<ExpectedPage> {
  for (let after = from; ; ) {
    const accounts = accountsOf(await runPrepared<Row>(db, KNOWN, [environment, after]));
    after = accounts.at(-1)?.address ?? after;
    yield { accounts, last: after };
    if (accounts.length < ACCOUNTS_PER_PAGE) break;
  }
  for await (const addresses of checkoutAddresses(db, environment)) {
    yield {
      accounts: accountsOf(await runPrepared<Row>(db, NAMED, [environment, addresses])),
      last: AFTER_ALL_ADDRESSES,
    };
  }
}

/** Sorts after every address. */
const AFTER_ALL_ADDRESSES = '~';

interface Row {
  readonly address: Address;
  readonly slot: string | null;
  readonly closed: boolean;
  readonly digest: string;
  readonly id: string | null;
  readonly status: ExpectedSubscription['status'];
  readonly reason: string | null;
  readonly chainCreatedAt: string;
  readonly wallet: Address;
  readonly authority: Address | null;
  readonly mint: Address;
  readonly periodSeconds: number;
}

const STORED_STATES = `
  SELECT e."address", a."slot", a."closed", encode(sha256(a."data"), 'hex') AS "digest",
    CASE WHEN s."status" = 'CANCELLED' THEN (
      SELECT t."reason" FROM "SubscriptionTransition" t WHERE t."subscriptionId" = s."id"
      ORDER BY t."at" DESC, t."id" DESC LIMIT 1) END AS "reason",
    s."id", s."status"::text, s."chainCreatedAt", s."walletAddress" AS "wallet", s."authority", p."mint",
    p."periodSeconds"
  FROM expected e
    LEFT JOIN "ChainAccount" a ON a."environment" = $1::"Environment" AND a."address" = e."address"
    LEFT JOIN "Subscription" s
      ON s."environment" = $1::"Environment" AND s."address" = e."address" AND s."closedAt" IS NULL
    LEFT JOIN "Plan" p ON p."id" = s."planId"
  ORDER BY e."address", s."chainCreatedAt" DESC`;

// Each branch reads one page from its index, so a shorter page is the last. The limit is not a
// parameter: PostgreSQL would estimate it as a tenth of the table and sort everything for each
// page.
const KNOWN: PreparedStatement = {
  name: 'mirror.known-accounts',
  text: `
    WITH expected AS (
      SELECT "address" FROM (
        (SELECT "address" FROM "Plan" WHERE "environment" = $1::"Environment" AND "address" > $2
          ORDER BY "address" LIMIT ${ACCOUNTS_PER_PAGE})
        UNION
        (SELECT DISTINCT "address" FROM "Subscription"
          WHERE "environment" = $1::"Environment" AND "address" > $2 AND "closedAt" IS NULL
          ORDER BY "address" LIMIT ${ACCOUNTS_PER_PAGE})
        UNION
        (SELECT "address" FROM "ChainAccount"
          WHERE "environment" = $1::"Environment" AND "address" > $2 AND NOT "closed"
          ORDER BY "address" LIMIT ${ACCOUNTS_PER_PAGE})
      ) AS known ORDER BY "address" LIMIT ${ACCOUNTS_PER_PAGE}
    ) ${STORED_STATES}`,
};

const NAMED: PreparedStatement = {
  name: 'mirror.named-accounts',
  text: `WITH expected AS (SELECT DISTINCT unnest($2::text[]) AS "address") ${STORED_STATES}`,
};

function accountsOf(rows: readonly Row[]): ExpectedAccount[] {
  const byAddress = Map.groupBy(rows, ({ address }) => address);
  return [...byAddress].map(([address, rowsAtAddress]) => {
    const { slot, closed, digest } = rowsAtAddress[0] as Row;
    const mirrored = slot === null ? undefined : { slot: BigInt(slot), closed, digest };
    return { address, mirrored, subscriptions: rowsAtAddress.flatMap(subscriptionOf) };
  });
}

function subscriptionOf({
  id,
  status,
  reason,
  chainCreatedAt,
  wallet,
  authority,
  mint,
  periodSeconds,
}: Row): ExpectedSubscription[] {
  if (id === null) return [];
  const subscription = { id, status, wallet, mint, periodSeconds, authority: authority ?? undefined };
  const cancelledOnChain = isCancelledOnChain(reason);
  return [{ ...subscription, cancelledOnChain, chainCreatedAt: BigInt(chainCreatedAt) }];
}

async function* checkoutAddresses(db: Db, environment: Environment): AsyncGenerator<Address[]> {
  let after = { expiresAt: '-infinity', id: '' };
  for (;;) {
    const page = await runPrepared<CheckoutRow>(db, CHECKOUTS, [environment, after.expiresAt, after.id]);
    yield await Promise.all(page.map(({ plan, wallet }) => subscriptionAddress(plan, wallet)));
    const last = page.at(-1);
    if (!last || page.length < ACCOUNTS_PER_PAGE) return;
    after = last;
  }
}

interface CheckoutRow {
  readonly id: string;
  readonly plan: Address;
  readonly wallet: Address;
  readonly expiresAt: string;
}

// Reads the partial index in its order, from a single lower bound. With a second bound PostgreSQL
// would scan sessions of many years.
const CHECKOUTS: PreparedStatement = {
  name: 'mirror.checkouts',
  text: `
    WITH floor AS MATERIALIZED (
      SELECT coalesce((SELECT "updatedAt" - interval '${MAX_CHECKOUT_AGE}' FROM "StreamPosition"
        WHERE "environment" = $1::"Environment"), '-infinity') AS "at"
    ), page AS (
      SELECT c."id", c."planId", c."walletAddress" || c."earlierWallets" AS "wallets", c."expiresAt" FROM "CheckoutSession" c
      WHERE c."environment" = $1::"Environment" AND c."status" <> 'COMPLETED' AND c."walletAddress" IS NOT NULL
        AND (c."expiresAt", c."id") > (
          (SELECT greatest(floor."at", $2::timestamptz) FROM floor),
          (SELECT CASE WHEN $2::timestamptz >= floor."at" THEN $3 ELSE '' END FROM floor))
      ORDER BY c."expiresAt", c."id" LIMIT ${ACCOUNTS_PER_PAGE}
    )
    SELECT page."id", p."address" AS "plan", w."wallet", page."expiresAt"::text AS "expiresAt"
    FROM page JOIN "Plan" p ON p."id" = page."planId" CROSS JOIN unnest(page."wallets") AS w("wallet")
    ORDER BY page."expiresAt", page."id"`,
};
