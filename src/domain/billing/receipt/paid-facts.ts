import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';
import type { AppContext } from '../../../app.ts';
import { keepNewest } from '../../../async/keep-newest.ts';
import { readDecimals } from '../../../chain/accounts/mint-decimals.ts';
import { Environment } from '../../../generated/prisma/client.ts';
import { describeAsset } from '../../catalog/asset/describe-asset.ts';
import { type ClusterFacts, getCluster } from '../../chain-state/cluster/get-cluster.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { isKnownYear } from '../../kernel/input/time-filter.ts';
import { receiptText } from './receipt-document.ts';

const time = z.date().refine(isKnownYear, 'is not in the years 1 to 9999');

const MAX_KNOWN_MINTS = 1_000;
/** Whether texts are addresses. Payments have few mints, and a check takes as long as reading the row. */
const knownMints = new Map<string, boolean>();

function isMintAddress(text: string): text is Address {
  const known = knownMints.get(text);
  if (known !== undefined) return known;
  const isOne = isAddress(text);
  keepNewest(knownMints, text, isOne, MAX_KNOWN_MINTS);
  return isOne;
}

/** The columns of a successful payment and of all rows that its receipt names. */
const paidRow = z
  .object({
    paymentId: z.uuid(),
    merchantId: z.string(),
    environment: z.enum(Environment),
    customerId: z.string(),
    signature: receiptText,
    paymentNumber: z.int().positive(),
    paidAt: time,
    dueAt: time,
    periodStart: z.bigint(),
    subscription: receiptText,
    payerWallet: receiptText,
    planId: receiptText,
    planName: receiptText,
    planAddress: receiptText,
    mint: z.string().refine(isMintAddress, 'is no address'),
    intervalSeconds: z.int().positive(),
    companyName: receiptText,
    legalName: receiptText.nullable(),
    postalAddress: receiptText.nullable(),
    sellerTaxId: receiptText.nullable(),
    supportEmail: receiptText.nullable(),
    sellerWallet: receiptText,
    email: receiptText,
    billingName: receiptText.nullable(),
    billingAddress: receiptText.nullable(),
    buyerTaxId: receiptText.nullable(),
    owed: z.bigint().nonnegative(),
    lines: z.array(z.object({ kind: receiptText, text: receiptText, amount: z.coerce.bigint() })).nullable(),
    limit: z.bigint().nonnegative(),
    limitSeconds: z.int().positive(),
    amount: z.bigint().nonnegative().nullable(),
    slot: z.bigint().nonnegative().nullable(),
    eventIndex: z.int().nonnegative().nullable(),
  })
  .refine((row) => isKnownYear(endOfPeriod(row)), 'The period does not end in the years 1 to 9999');

type PaidRow = z.infer<typeof paidRow>;

/** A successful payment with the current data for its receipt. */
export interface PaidFacts extends Omit<PaidRow, 'amount' | 'slot' | 'eventIndex'> {
  /** Its transfer on chain; null if the ledger has none. */
  readonly transfer: { readonly amount: bigint; readonly slot: bigint; readonly eventIndex: number } | null;
  readonly asset: { readonly symbol: string | null; readonly decimals: number | null };
  readonly cluster: Pick<ClusterFacts, 'chain' | 'genesisHash'>;
}

/** A payment whose rows have values that a receipt cannot have. */
export type UnreadablePayment = Pick<PaidRow, 'paymentId' | 'signature'>;

/** The end of the period that a payment is for. */
export function endOfPeriod({
  dueAt,
  intervalSeconds,
}: {
  readonly dueAt: Date;
  readonly intervalSeconds: number;
}): Date {
  return new Date(dueAt.getTime() + intervalSeconds * 1_000);
}

/**
 * Reads the data for the receipts of payments, in the order in which they were paid. A payment
 * whose rows cannot be used is logged and returned separately, so that it does not delay the
 * others.
 *
 * A receipt states the transfer that settled the payment, which the chain proves. A merchant may
 * pull more of the period later: the payment's amount is then greater than the receipt's.
 *
 * @throws ClusterUnusable, or the error of the cluster
 */
export async function readPaidFacts(
  ctx: Pick<AppContext, 'config' | 'db' | 'chain' | 'away' | 'log'>,
  environment: Environment,
  paymentIds: readonly string[],
): Promise<{ readonly paid: PaidFacts[]; readonly unreadable: UnreadablePayment[] }> {
  if (paymentIds.length === 0) return { paid: [], unreadable: [] };
  const { rows, unreadable } = parseRows(ctx, await selectPaid(ctx, paymentIds));
  const [cluster, decimals] = await Promise.all([
    getCluster(ctx, environment),
    decimalsOf(
      ctx,
      environment,
      rows.map(({ mint }) => mint),
    ),
  ]);
  const paid = rows.map(({ amount, slot, eventIndex, ...row }) => ({
    ...row,
    transfer: amount !== null && slot !== null && eventIndex !== null ? { amount, slot, eventIndex } : null,
    asset: {
      symbol: describeAsset(ctx.config.clusters[environment], row.mint).symbol,
      decimals: decimals.get(row.mint) ?? null,
    },
    cluster,
  }));
  return { paid, unreadable };
}

function parseRows(
  { log }: Pick<AppContext, 'log'>,
  selected: readonly UnreadablePayment[],
): { readonly rows: PaidRow[]; readonly unreadable: UnreadablePayment[] } {
  const rows: PaidRow[] = [];
  const unreadable: UnreadablePayment[] = [];
  for (const row of selected) {
    const { data, error } = paidRow.safeParse(row);
    if (data) rows.push(data);
    else {
      log.error({ err: error, payment: row.paymentId }, 'payment unreadable: no receipt, will be retried');
      unreadable.push(row);
    }
  }
  return { rows, unreadable };
}

// OFFSET 0 makes PostgreSQL look up each customer by index. Otherwise it may read all customers for
// a batch.
function selectPaid(
  { db }: Pick<AppContext, 'db'>,
  paymentIds: readonly string[],
): Promise<UnreadablePayment[]> {
  return db.$queryRaw<UnreadablePayment[]>`
    SELECT p."id" AS "paymentId", p."merchantId", p."environment"::text, s."customerId", p."signature",
      p."number" AS "paymentNumber", p."paidAt", p."dueAt", p."periodStart",
      s."address" AS "subscription", s."walletAddress" AS "payerWallet",
      l."planId", l."name" AS "planName", l."address" AS "planAddress", l."mint", l."intervalSeconds",
      m."companyName", m."legalName", m."postalAddress", m."taxId" AS "sellerTaxId", m."supportEmail",
      m."walletAddress" AS "sellerWallet",
      c."email", c."billingName", c."billingAddress", c."taxId" AS "buyerTaxId",
      p."amount" AS "owed", p."lines", l."maxAmount" AS "limit", l."periodSeconds" AS "limitSeconds",
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
  const uniqueMints = [...new Set(mints)];
  const decimals = await readDecimals(chainOf(ctx, environment), uniqueMints);
  return new Map(uniqueMints.map((mint, index) => [mint, decimals[index]]));
}
