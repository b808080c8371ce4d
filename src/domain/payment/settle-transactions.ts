import type { AppContext } from '../../app.ts';
import type { ChainTransaction } from '../../chain/chain-transaction.ts';
import { collectorAddresses } from '../../chain/collectors.ts';
import { decodeEvents } from '../../chain/events.ts';
import type { DbTransaction } from '../../db.ts';
import { asRows } from '../../db-rows.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { inCountedTransaction } from '../../metrics/count-when-committed.ts';
import { isOfLife } from '../subscription/lives.ts';
import { announcePayments, type ToldPayment } from './announce-payments.ts';
import { dateOf } from './billable.ts';
import { bookTransfer, type SeenTransfer, windowsOfTransfer } from './book-transfer.ts';
import { apart } from './books/apart.ts';
import type { Book } from './books/book.ts';
import { loadPayments, openBooksAt, type PaymentKey } from './books/read-books.ts';
import { writeBooks } from './books/write-books.ts';
import { closeSettled } from './close-transactions.ts';

/** Transfers that are booked in one database transaction. */
const TRANSFERS_TOGETHER = 200;

/** A transaction that landed without an error, and the transfers that it made. */
export interface SeenTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** What its payer paid; null where the source does not tell. */
  readonly feeLamports: bigint | null;
  readonly transfers: readonly SeenTransfer[];
}

/** What went wrong with a transaction, by its signature; the others are booked. */
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
 * Books every transfer of our plans that these transactions made on the payment of its period, whoever sent it and
 * whoever saw it first; seeing it again changes nothing. A transfer of a subscription that is not known yet is kept and
 * booked by `settleWaitingTransfers` once it is. Our own transactions are over with it.
 *
 * @throws where the database cannot be used; what is wrong with one transaction is in the answer
 */
export async function settleTransactions(
  ctx: AppContext,
  environment: Environment,
  transactions: readonly SeenTransaction[],
): Promise<Unsettled> {
  const unsettled = new Map<string, unknown>();
  const complain = ({ transaction }: Placed, error: unknown) => {
    unsettled.set(transaction.signature, error);
  };
  for (const some of inBatches(transactions)) {
    const placed = some.flatMap((transaction) =>
      transaction.transfers.map((transfer) => ({ transaction, transfer })),
    );
    const told = await apart(placed, (each) => settleTogether(ctx, environment, each, complain), complain);
    await announcePayments(ctx, told);
  }
  return unsettled;
}

/** A transfer and where it stands. */
interface Placed {
  readonly transaction: SeenTransaction;
  readonly transfer: SeenTransfer;
}

/** Books what was collected from a subscription before it was known here. */
export async function settleWaitingTransfers(
  ctx: AppContext,
  environment: Environment,
  subscriptionAddress: string,
): Promise<void> {
  const waiting = await ctx.db.chainTransfer.findMany({
    where: { environment, subscriptionAddress, paymentId: null },
    orderBy: [{ slot: 'asc' }, { index: 'asc' }],
  });
  const transactions = waiting.map(({ signature, slot, planAddress: plan, ...transfer }) => ({
    ...{ signature, slot, feeLamports: null },
    transfers: [{ ...transfer, signature, slot, plan, subscription: subscriptionAddress, at: null }],
  }));
  const [failure] = (await settleTransactions(ctx, environment, transactions)).values();
  if (failure !== undefined) throw failure;
}

/** A transaction's transfers stay together, so that it is over with them. */
function* inBatches(transactions: readonly SeenTransaction[]): Generator<SeenTransaction[]> {
  let batch: SeenTransaction[] = [];
  let transfers = 0;
  for (const transaction of transactions) {
    batch.push(transaction);
    transfers += transaction.transfers.length;
    if (transfers < TRANSFERS_TOGETHER) continue;
    yield batch;
    [batch, transfers] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function settleTogether(
  ctx: AppContext,
  environment: Environment,
  placed: readonly Placed[],
  complain: (placed: Placed, error: unknown) => void,
): Promise<ToldPayment[]> {
  return inCountedTransaction(ctx.db, async (tx) => {
    const inOrder = [...placed].sort(
      ({ transfer: a }, { transfer: b }) => Number(a.slot - b.slot) || a.index - b.index,
    );
    const transfers = inOrder.map(({ transfer }) => transfer);
    await keepTransfers(tx, environment, transfers);
    const books = await openBooksAt(
      tx,
      environment,
      transfers.map(({ subscription }) => subscription),
    );
    // Under the locks, so that of two who saw the same transfer only one books it.
    const open = await notBooked(tx, environment, transfers);
    const ours = inOrder.flatMap(({ transaction, transfer }) => {
      const book = open.has(placeOf(transfer)) ? bookOf(books, transfer) : undefined;
      return book ? [{ transaction, transfer, book }] : [];
    });
    await loadPayments(
      tx,
      books,
      ours.flatMap(({ transfer, book }) => keysOf(book, transfer)),
    );
    const now = ctx.clock.now();
    const chain = ctx.chain[environment];
    const collectors = chain ? collectorAddresses(chain) : [];
    const booked = ours.flatMap(({ transfer, book }) => {
      const payment = book.apply(() => bookTransfer(book, transfer, { now, collectors }));
      return payment ? [{ transfer, book, paymentId: payment.id }] : [];
    });
    const sound = booked.filter(({ book }) => book.spoiltBy === undefined);
    await writeBooks(tx, books.values(), now);
    await markBooked(tx, environment, sound);
    await closeSettled(tx, environment, [...new Set(placed.map(({ transaction }) => transaction))], now);
    for (const one of ours) if (one.book.spoiltBy !== undefined) complain(one, one.book.spoiltBy);
    return sound.map(({ paymentId, book: { subscription } }) => {
      const { id: subscriptionId, merchantId } = subscription;
      return { merchantId, environment, subscriptionId, paymentId };
    });
  });
}

/** Of the payments that booking it changes. */
function keysOf(book: Book, transfer: SeenTransfer): PaymentKey[] {
  const { id: subscriptionId } = book.subscription;
  const skipped = book.apply(() => windowsOfTransfer(book, transfer).skipped) ?? [];
  return [transfer, ...skipped].map(({ periodStart }) => ({ subscriptionId, periodStart }));
}

const placeOf = ({ signature, index }: SeenTransfer) => `${signature} ${index}`;

/**
 * The life of the address that the period belongs to: the newest that had begun by then. Where its periods start at other
 * times the transfer is of a newer life, which is not known yet.
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
  return isOfLife(chainCreatedAt, periodStart, BigInt(plan.intervalSeconds)) ? newest : undefined;
}

/** The ledger: transfers of our plans, each once. Others' are passed over. */
async function keepTransfers(
  tx: DbTransaction,
  environment: Environment,
  transfers: readonly SeenTransfer[],
): Promise<void> {
  if (transfers.length === 0) return;
  // In one order, so that two who keep the same ones wait for each other in turn.
  await tx.$executeRaw`
    INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
      "amount", "periodStart", "puller")
    SELECT ${environment}::"Environment", r.* FROM jsonb_to_recordset(${asRows(transfers)}::jsonb) AS r(
      "signature" text, "index" int, "slot" bigint, "subscription" text, "plan" text, "amount" bigint,
      "periodStart" bigint, "puller" text)
    WHERE EXISTS (
      SELECT 1 FROM "Plan" p WHERE p."environment" = ${environment}::"Environment" AND p."address" = r."plan")
    ORDER BY r."signature", r."index"
    ON CONFLICT DO NOTHING`;
}

async function notBooked(
  tx: DbTransaction,
  environment: Environment,
  transfers: readonly SeenTransfer[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<Pick<SeenTransfer, 'signature' | 'index'>[]>`
    SELECT "signature", "index" FROM "ChainTransfer"
    WHERE "environment" = ${environment}::"Environment" AND "paymentId" IS NULL
      AND "signature" = ANY(${[...new Set(transfers.map(({ signature }) => signature))]})`;
  return new Set(rows.map(({ signature, index }) => `${signature} ${index}`));
}

async function markBooked(
  tx: DbTransaction,
  environment: Environment,
  booked: readonly { readonly transfer: SeenTransfer; readonly paymentId: string }[],
): Promise<void> {
  if (booked.length === 0) return;
  const rows = booked.map(({ transfer: { signature, index }, paymentId }) => ({
    signature,
    index,
    paymentId,
  }));
  await tx.$executeRaw`
    UPDATE "ChainTransfer" SET "paymentId" = r."paymentId"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("signature" text, "index" int, "paymentId" uuid)
    WHERE "ChainTransfer"."environment" = ${environment}::"Environment"
      AND "ChainTransfer"."signature" = r."signature" AND "ChainTransfer"."index" = r."index"`;
}
