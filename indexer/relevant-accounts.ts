import type { AppContext } from '../src/app.ts';
import { type PreparedStatement, runPrepared } from '../src/db/db.ts';
import type { Environment } from '../src/generated/prisma/client.ts';

/** An account of the program, possibly closed. */
export interface NamedAccount {
  readonly address: string;
  /** The user of an authority. */
  readonly wallet?: string;
}

/**
 * The addresses of the accounts that concern our books: our plans, known subscriptions, mirrored
 * accounts, and the authorities of wallets with ACTIVE or PAST_DUE subscriptions. Anyone may use
 * the program, and this one statement excludes foreign accounts without a call of the cluster.
 */
export async function findRelevantAccounts(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  named: readonly NamedAccount[],
): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set();
  const addresses = named.map(({ address }) => address);
  const wallets = named.map(({ wallet }) => wallet ?? '');
  const rows = await runPrepared<{ address: string }>(db, OURS, [environment, addresses, wallets]);
  return new Set(rows.map(({ address }) => address));
}

// OFFSET 0 keeps each lookup an index lookup: in a join PostgreSQL may read whole tables for a few
// addresses.
const OURS: PreparedStatement = {
  name: 'mirror.ours',
  text: `
    SELECT n."address" FROM unnest($2::text[], $3::text[]) AS n("address", "wallet")
    CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT 1 FROM "Plan" p
          WHERE p."environment" = $1::"Environment" AND p."address" = n."address" OFFSET 0)
        OR EXISTS (SELECT 1 FROM "Subscription" s
          WHERE s."environment" = $1::"Environment" AND s."address" = n."address" OFFSET 0)
        OR EXISTS (SELECT 1 FROM "ChainAccount" a
          WHERE a."environment" = $1::"Environment" AND a."address" = n."address" OFFSET 0)
        OR n."wallet" <> '' AND EXISTS (SELECT 1 FROM "Subscription" s
          WHERE s."walletAddress" = n."wallet" AND s."environment" = $1::"Environment"
            AND s."status" IN ('ACTIVE', 'PAST_DUE') OFFSET 0) AS "isOurs"
      OFFSET 0) AS looked
    WHERE looked."isOurs"`,
};
