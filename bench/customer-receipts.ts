import { createApp } from '../src/app.ts';
import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { connectDb } from '../src/db/db.ts';
import { documentOf } from '../src/domain/billing/receipt/get-receipt.ts';
import type { ReceiptDocument } from '../src/domain/billing/receipt/receipt-document.ts';
import { sealReceipt } from '../src/domain/billing/receipt/receipt-file.ts';
import { verifyReceipt } from '../src/domain/billing/receipt/verify-receipt.ts';
import { finalizePayments } from '../src/domain/billing/settle/finalize-payments.ts';
import { worldConfig } from '../tools/world/config.ts';
import { startCollectWorld } from './collect-world.ts';
import { round } from './statistics.ts';

const SUBSCRIPTIONS = 2_500;
const PERIODS = 4;
const WORKERS = 8;
const CONCURRENCY = 32;
/** One of this many receipts is also compared with the chain after its amount is changed. */
const FALSIFIED_EVERY = 10;

/**
 * Measures the receipts of 10,000 payments, which are collected on the local network. Eight
 * concurrent loops of this process issue the receipts. Each receipt is then compared with the
 * chain.
 *
 * - receipt_gaps: numbers that are missing, and payments without a receipt.
 * - receipts_refused: correct receipts that do not agree with the chain.
 * - receipts_forged: receipts with a changed amount that agree.
 */
export async function measureReceipts() {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, SUBSCRIPTIONS);
  await world.withWorker({}, async () => {
    for (let period = 0; period < PERIODS; period += 1) await world.collectPeriod();
  });
  const config = worldConfig(world.databaseUrl, { clock: 'chain', clusters: { TEST: world.chain.config } });
  const { ctx, close } = await createApp(config);
  closing.defer(close);
  const countMissing = () => world.db.payment.count({ where: { status: 'SUCCEEDED', receiptNumber: null } });
  const missing = await countMissing();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const db = connectDb(world.databaseUrl);
      while ((await countMissing()) > 0) await finalizePayments({ ...ctx, db }, 'TEST');
      await db.$disconnect();
    }),
  );
  const perSecond = missing / ((performance.now() - startedAt) / 1_000);
  const receipts = await world.db.receipt.findMany({ orderBy: { number: 'asc' } });
  const documents = receipts.map(documentOf);
  const disagrees = async (document: ReceiptDocument) => {
    const { agrees } = await verifyReceipt(world.chain, sealReceipt(config, document));
    return !agrees;
  };
  const refused = await mapConcurrently(documents, CONCURRENCY, disagrees);
  const forged = documents.filter((_, index) => index % FALSIFIED_EVERY === 0).map(falsify);
  const forgedRefused = await mapConcurrently(forged, CONCURRENCY, disagrees);
  return {
    receipts: receipts.length,
    receipts_per_s: round(perSecond),
    receipt_gaps: await countGaps(world.db),
    receipts_refused: refused.filter(Boolean).length,
    receipts_forged: forgedRefused.filter((wrong) => !wrong).length,
  };
}

/** The same receipt with one base unit more, signed like a correct one. */
function falsify(document: ReceiptDocument): ReceiptDocument {
  const { amount } = document;
  const more = String(BigInt(amount.baseUnits) + 1n);
  return { ...document, amount: { ...amount, baseUnits: more, decimals: 0, decimal: more } };
}

async function countGaps(db: ReturnType<typeof connectDb>): Promise<number> {
  const [row] = await db.$queryRaw<{ gaps: bigint }[]>`
    SELECT (SELECT coalesce(sum("missing"), 0) FROM (
        SELECT max("number") - count(DISTINCT "number") AS "missing" FROM "Receipt"
        GROUP BY "merchantId", "environment") AS "numbers")::bigint
      + (SELECT count(*) FROM "Payment" p WHERE p."status" = 'SUCCEEDED' AND NOT EXISTS (
        SELECT FROM "Receipt" r WHERE r."paymentId" = p."id")) AS "gaps"`;
  return Number(row?.gaps ?? -1);
}
