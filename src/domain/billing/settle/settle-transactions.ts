import type { AppContext } from '../../../app.ts';
import { collectorAddresses } from '../../../chain/accounts/collectors.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import type { ChainTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { decodeEvents } from '../../../chain/transactions/program-events.ts';
import { recordsOf } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { PREPARED } from '../../../db/prepared.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { Book } from '../book/book.ts';
import { loadPayments, type PeriodKey, readBooksAt } from '../book/read-books.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { writeBooks } from '../book/write-books.ts';
import { hasPeriod } from '../lifecycle/match-subscriptions.ts';
import { closeSettled, divideFee } from './close-transactions.ts';
import { readLedger } from './ledger-reach.ts';
import { type ChangedPayment, publishPayments } from './publish-payments.ts';
import { periodsOfTransfer, type SeenTransfer, settleTransfer } from './settle-transfer.ts';

/** Transfers settled in one database transaction. */
const TRANSFERS_PER_BATCH = 200;

/** A transaction that landed without an error, and its transfers. */
export interface SeenTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** The fee of the transaction; null if the source does not contain it. */
  readonly feeLamports: bigint | null;
  readonly transfers: readonly SeenTransfer[];
}

/** The errors by the transaction's signature. All other transactions are settled. */
export type Unsettled = ReadonlyMap<string, unknown>;

/** @throws EventLayoutError */
export function seenTransaction(transaction: ChainTransaction): SeenTransaction {
  const { signature, slot, blockTime, feeLamports } = transaction;
  const at = blockTime === null ? null : dateOf(blockTime);
  const transfers = decodeEvents(transaction)
    .filter((event) => event.type === 'transfer')
    .map((event) => ({ ...event, signature, slot, at }));
  return { signature, slot, feeLamports, transfers };
}

/**
 * Settles the payment of each transfer of our plans, whoever sent the transaction. A transfer that
 * was settled before changes nothing. A transfer of an unknown subscription is stored, and
 * `settleTransfersAt` settles it when the subscription becomes known. Our own transactions are
 * closed.
 *
 * @throws if the database cannot be used. Errors of single transactions are returned instead
 */
export async function settleTransactions(
  ctx: AppContext,
  environment: Environment,
  transactions: readonly SeenTransaction[],
): Promise<Unsettled> {
  const unsettled = new Map<string, unknown>();
  const onFailure = ({ transaction }: TransferInTransaction, error: unknown) => {
    unsettled.set(transaction.signature, error);
  };
  for (const batch of inBatches(transactions)) {
    const found = batch.flatMap((transaction) => {
      const { transfers, feeLamports } = transaction;
      const fees = feeLamports === null ? [] : divideFee(feeLamports, transfers.length);
      return transfers.map((transfer, index) => ({
        transaction,
        transfer,
        feeLamports: fees[index] ?? null,
      }));
    });
    const settled = await splitOnFailure(
      found,
      (items) => settleTogether(ctx, environment, items, onFailure),
      onFailure,
    );
    await publishPayments(ctx, settled);
  }
  return unsettled;
}

/** A transfer and its transaction. */
interface TransferInTransaction {
  readonly transaction: SeenTransaction;
  readonly transfer: SeenTransfer;
  /** Its part of the transaction's fee; null if that is not known. */
  readonly feeLamports: bigint | null;
}

/** Settles the transfers of a subscription that were seen before it was known. */
export async function settleTransfersAt(
  ctx: AppContext,
  environment: Environment,
  subscriptionAddress: string,
): Promise<void> {
  const waiting = await ctx.db.chainTransfer.findMany({
    where: { environment, subscriptionAddress, paymentId: null },
    orderBy: [{ slot: 'asc' }, { index: 'asc' }],
  });
  const transactions = waiting.map(({ signature, slot, planAddress: plan, ...transfer }) => ({
    signature,
    slot,
    feeLamports: null,
    transfers: [{ ...transfer, signature, slot, plan, subscription: subscriptionAddress, at: null }],
  }));
  const [failure] = (await settleTransactions(ctx, environment, transactions)).values();
  if (failure !== undefined) throw failure;
}

/** Batches of whole transactions, so that each is closed together with its transfers. */
function* inBatches(transactions: readonly SeenTransaction[]): Generator<SeenTransaction[]> {
  let batch: SeenTransaction[] = [];
  let transfers = 0;
  for (const transaction of transactions) {
    batch.push(transaction);
    transfers += transaction.transfers.length;
    if (transfers < TRANSFERS_PER_BATCH) continue;
    yield batch;
    [batch, transfers] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function settleTogether(
  ctx: AppContext,
  environment: Environment,
  found: readonly TransferInTransaction[],
  onFailure: (failed: TransferInTransaction, error: unknown) => void,
): Promise<ChangedPayment[]> {
  return inTransaction(ctx, async (tx) => {
    const inOrder = [...found].sort(
      ({ transfer: a }, { transfer: b }) => Number(a.slot - b.slot) || a.index - b.index,
    );
    const transfers = inOrder.map(({ transfer }) => transfer);
    const stored = await storeTransfers(tx, environment, transfers);
    const books = await readBooksAt(
      tx,
      environment,
      transfers.map(({ subscription }) => subscription),
    );
    // Read under the locks, so that only one of two processes settles the same transfer.
    const earlier = transfers.filter((transfer) => !stored.has(transferKey(transfer)));
    const open = await unsettledOf(tx, environment, earlier);
    const ours = inOrder.flatMap((item) => {
      const key = transferKey(item.transfer);
      const book = stored.has(key) || open.has(key) ? bookOf(books, item.transfer) : undefined;
      return book ? [{ ...item, book }] : [];
    });
    const skipped = ours.flatMap(({ transfer, book }) => skippedKeysOf(book, transfer));
    await loadPayments(tx, books, [
      ...ours.map(({ transfer: { periodStart }, book }) => ({
        subscriptionId: book.subscription.id,
        periodStart,
      })),
      ...skipped,
    ]);
    const skipping = new Set(skipped.map(({ subscriptionId }) => subscriptionId));
    const skippingBooks = ours.filter(({ book }) => skipping.has(book.subscription.id));
    const ledger = await readLedger(
      tx,
      environment,
      skippingBooks.map(({ book }) => book.subscription.address),
    );
    const now = ctx.clock.now();
    const chain = ctx.chain[environment];
    const collectors = chain ? collectorAddresses(chain) : [];
    const settled = ours.flatMap(({ transfer, feeLamports, book }) => {
      const terms = { now, collectors, ledger, feeLamports };
      const payment = book.apply(() => settleTransfer(book, transfer, terms));
      return payment ? [{ transfer, book, paymentId: payment.id }] : [];
    });
    const valid = settled.filter(({ book }) => book.ruleError === undefined);
    await writeBooks(tx, books.values(), now);
    await markSettled(tx, environment, stored, valid);
    await closeSettled(tx, environment, [...new Set(found.map(({ transaction }) => transaction))], now);
    for (const item of ours) {
      if (item.book.ruleError !== undefined) onFailure(item, item.book.ruleError);
    }
    return valid.map(({ paymentId, book: { subscription } }) => {
      const { id: subscriptionId, merchantId } = subscription;
      return { merchantId, environment, subscriptionId, paymentId };
    });
  });
}

/** The keys of the earlier payments that settling the transfer ends. */
function skippedKeysOf(book: Book, transfer: SeenTransfer): PeriodKey[] {
  const { id: subscriptionId } = book.subscription;
  const skipped = book.apply(() => periodsOfTransfer(book, transfer).skipped) ?? [];
  return skipped.map(({ periodStart }) => ({ subscriptionId, periodStart }));
}

const transferKey = ({ signature, index }: Pick<SeenTransfer, 'signature' | 'index'>) =>
  `${signature} ${index}`;

/**
 * The book of the subscription that the period belongs to: the newest at the address that existed
 * then. If its periods start at other times, the transfer belongs to a newer subscription that is
 * not known yet.
 */
function bookOf(
  books: ReadonlyMap<string, Book>,
  { subscription: address, periodStart }: SeenTransfer,
): Book | undefined {
  let newest: Book | undefined;
  for (const book of books.values()) {
    const { subscription } = book;
    if (subscription.address !== address || subscription.chainCreatedAt > periodStart) continue;
    if (!newest || subscription.chainCreatedAt > newest.subscription.chainCreatedAt) newest = book;
  }
  if (!newest) return undefined;
  const { chainCreatedAt, plan } = newest.subscription;
  return hasPeriod(chainCreatedAt, periodStart, BigInt(plan.periodSeconds)) ? newest : undefined;
}

/** The payments that new rows of the ledger name, by `transferKey`: see `storeTransfers`. */
type Stored = Map<string, string | null>;

/**
 * Adds the transfers of our plans to the ledger, each once. Other transfers are skipped. A new row names
 * the scheduled payment of its period, if there is one: that is nearly always the one which is settled
 * next, and the row is not written again. `markSettled` corrects the others. No other process settles a
 * new row, because it sees the row after the commit only.
 */
async function storeTransfers(
  tx: DbTransaction,
  environment: Environment,
  transfers: readonly SeenTransfer[],
): Promise<Stored> {
  if (transfers.length === 0) return new Map();
  const rows = transfers.map(
    ({ signature, index, slot, subscription, plan, amount, periodStart, puller }) => ({
      ...{ signature, index, slot, amount, periodStart, puller },
      subscriptionAddress: subscription,
      planAddress: plan,
    }),
  );
  // Sorted, so that two processes with the same transfers cannot deadlock.
  const stored = await tx.$queryRaw<LedgerRow[]>`${PREPARED}
    INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
      "amount", "periodStart", "puller", "paymentId")
    SELECT ${environment}::"Environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
      "amount", "periodStart", "puller", (
        SELECT p."id" FROM "Subscription" s JOIN "Payment" p ON p."subscriptionId" = s."id"
          AND p."periodStart" = r."periodStart" AND p."ordinal" = 0
        WHERE s."environment" = ${environment}::"Environment" AND s."address" = r."subscriptionAddress"
        ORDER BY s."chainCreatedAt" DESC LIMIT 1)
    FROM ${recordsOf('ChainTransfer', rows)} AS r
    WHERE EXISTS (
      SELECT 1 FROM "Plan" p WHERE p."environment" = ${environment}::"Environment" AND p."address" = r."planAddress")
    ORDER BY r."signature", r."index"
    ON CONFLICT DO NOTHING
    RETURNING "signature", "index", "paymentId"`;
  return new Map(stored.map((row) => [transferKey(row), row.paymentId]));
}

type LedgerRow = Pick<SeenTransfer, 'signature' | 'index'> & { readonly paymentId: string | null };

async function unsettledOf(
  tx: DbTransaction,
  environment: Environment,
  transfers: readonly SeenTransfer[],
): Promise<ReadonlySet<string>> {
  if (transfers.length === 0) return new Set();
  const rows = await tx.$queryRaw<Pick<SeenTransfer, 'signature' | 'index'>[]>`${PREPARED}
    SELECT "signature", "index" FROM "ChainTransfer"
    WHERE "environment" = ${environment}::"Environment" AND "paymentId" IS NULL
      AND "signature" = ANY(${[...new Set(transfers.map(({ signature }) => signature))]})`;
  return new Set(rows.map(transferKey));
}

/** Names the payments that were settled in the ledger, and none in new rows that were not settled. */
async function markSettled(
  tx: DbTransaction,
  environment: Environment,
  stored: Stored,
  settled: readonly { readonly transfer: SeenTransfer; readonly paymentId: string }[],
): Promise<void> {
  const paymentIds: Stored = new Map([...stored.keys()].map((key) => [key, null]));
  for (const { transfer, paymentId } of settled) paymentIds.set(transferKey(transfer), paymentId);
  const rows = [...paymentIds].flatMap(([key, paymentId]) => {
    if (stored.get(key) === paymentId) return [];
    const [signature, index] = key.split(' ');
    return [{ signature, index: Number(index), paymentId }];
  });
  if (rows.length === 0) return;
  await tx.$executeRaw`${PREPARED}
    UPDATE "ChainTransfer" SET "paymentId" = r."paymentId"
    FROM ${recordsOf('ChainTransfer', rows)} AS r
    WHERE "ChainTransfer"."environment" = ${environment}::"Environment"
      AND "ChainTransfer"."signature" = r."signature" AND "ChainTransfer"."index" = r."index"`;
}
