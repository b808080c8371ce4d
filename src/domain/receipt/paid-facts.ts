import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { readDecimals } from '../../chain/accounts/mint-decimals.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { chainOf } from '../access/chain-of.ts';
import { describeAsset } from '../asset/describe-asset.ts';
import { type ClusterFacts, getCluster } from '../cluster/get-cluster.ts';

/** The columns of a successful payment and of all rows that its receipt names. */
interface PaidRow {
  readonly paymentId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
  readonly signature: string;
  readonly paymentNumber: number;
  readonly paidAt: Date;
  readonly dueAt: Date;
  readonly periodStart: bigint;
  readonly subscription: string;
  readonly payerWallet: string;
  readonly planId: string;
  readonly planName: string;
  readonly planAddress: string;
  readonly mint: string;
  readonly intervalSeconds: number;
  readonly companyName: string;
  readonly legalName: string | null;
  readonly postalAddress: string | null;
  readonly sellerTaxId: string | null;
  readonly supportEmail: string | null;
  readonly sellerWallet: string;
  readonly email: string;
  readonly billingName: string | null;
  readonly billingAddress: string | null;
  readonly buyerTaxId: string | null;
  readonly amount: bigint | null;
  readonly slot: bigint | null;
  readonly eventIndex: number | null;
}

/** A successful payment with all that its receipt says, as it is now. */
export interface PaidFacts extends Omit<PaidRow, 'amount' | 'slot' | 'eventIndex'> {
  /** Its transfer on chain; null if the ledger has none. */
  readonly transfer: { readonly amount: bigint; readonly slot: bigint; readonly eventIndex: number } | null;
  readonly asset: { readonly symbol: string | null; readonly decimals: number | null };
  readonly cluster: Pick<ClusterFacts, 'chain' | 'genesisHash'>;
}

/**
 * Reads what the receipts of payments will say, in the order in which they were paid.
 *
 * A receipt is about the transfer that settled the payment, which the chain proves. A merchant may
 * pull more of the period later; the payment then is larger than its receipt.
 *
 * @throws ClusterUnusable, or the error of the cluster
 */
export async function readPaidFacts(
  ctx: Pick<AppContext, 'config' | 'db' | 'chain' | 'away'>,
  environment: Environment,
  paymentIds: readonly string[],
): Promise<PaidFacts[]> {
  if (paymentIds.length === 0) return [];
  const rows = await selectPaid(ctx, paymentIds);
  const [cluster, decimals] = await Promise.all([
    getCluster(ctx, environment),
    decimalsOf(
      ctx,
      environment,
      rows.map(({ mint }) => address(mint)),
    ),
  ]);
  return rows.map(({ amount, slot, eventIndex, ...row }) => ({
    ...row,
    transfer: amount !== null && slot !== null && eventIndex !== null ? { amount, slot, eventIndex } : null,
    asset: {
      symbol: describeAsset(ctx.config.clusters[environment], row.mint).symbol,
      decimals: decimals.get(row.mint) ?? null,
    },
    cluster,
  }));
}

// OFFSET 0 keeps the customer an index lookup: for a batch PostgreSQL may read all customers.
function selectPaid({ db }: Pick<AppContext, 'db'>, paymentIds: readonly string[]): Promise<PaidRow[]> {
  return db.$queryRaw<PaidRow[]>`
    SELECT p."id" AS "paymentId", p."merchantId", p."environment"::text, s."customerId", p."signature",
      p."number" AS "paymentNumber", p."paidAt", p."dueAt", p."periodStart",
      s."address" AS "subscription", s."walletAddress" AS "payerWallet",
      l."planId", l."name" AS "planName", l."address" AS "planAddress", l."mint", l."intervalSeconds",
      m."companyName", m."legalName", m."postalAddress", m."taxId" AS "sellerTaxId", m."supportEmail",
      m."walletAddress" AS "sellerWallet",
      c."email", c."billingName", c."billingAddress", c."taxId" AS "buyerTaxId",
      t."amount", t."slot", t."index" AS "eventIndex"
    FROM "Payment" p
      JOIN "Subscription" s ON s."id" = p."subscriptionId"
      JOIN "Plan" l ON l."id" = s."planId"
      JOIN "Merchant" m ON m."id" = p."merchantId"
      CROSS JOIN LATERAL (
        SELECT "email", "billingName", "billingAddress", "taxId"
        FROM "Customer" WHERE "id" = s."customerId" OFFSET 0) c
      LEFT JOIN LATERAL (
        SELECT "amount", "slot", "index" FROM "ChainTransfer"
        WHERE "paymentId" = p."id" AND "signature" = p."signature" ORDER BY "index" LIMIT 1) t ON true
    WHERE p."id" = ANY(${[...paymentIds]}::uuid[]) AND p."status" = 'SUCCEEDED' AND p."receiptNumber" IS NULL
    ORDER BY p."paidAt", p."id"`;
}

async function decimalsOf(
  ctx: Pick<AppContext, 'chain' | 'away'>,
  environment: Environment,
  mints: readonly Address[],
): Promise<ReadonlyMap<string, number | undefined>> {
  const different = [...new Set(mints)];
  const decimals = await readDecimals(chainOf(ctx, environment), different);
  return new Map(different.map((mint, index) => [mint, decimals[index]]));
}
