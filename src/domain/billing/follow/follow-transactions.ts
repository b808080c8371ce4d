import { setTimeout as wait } from 'node:timers/promises';
import type { Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { highestSlot } from '../../../chain/rpc/as-of.ts';
import { readTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { fateOf, signatureOutcomes } from '../../../chain/rpc/signature-outcomes.ts';
import type { TransactionFailure } from '../../../chain/rpc/transaction-failure.ts';
import { awaitStandby } from '../../../db/await-standby.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { clockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { recordSlot, upToDate } from '../../chain-state/mirror/known-slot.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { sendQuietly } from '../collect/send-quietly.ts';
import { closeExpired, closeSettled } from '../settle/close-transactions.ts';
import { seenTransaction, settleTransactions } from '../settle/settle-transactions.ts';
import { failTransactions } from './fail-transactions.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { Resends } from './resends.ts';
import { type VoidAttempt, voidAttempts } from './void-attempts.ts';

/** Rows of transactions in flight per read. */
const IN_FLIGHT_PER_READ = 1_024;
/** Pulls after which a batch of landed transactions is full. */
const PULLS_PER_BATCH = 200;
/** Batches settled at the same time: one is read while others are written. */
const MAX_CONCURRENT_BATCHES = 3;
const MAX_CONCURRENT_READS = 16;
const MAX_CONCURRENT_SENDS = 16;
/** Interval at which unseen transactions are checked for a resend while others are settled. */
const RESEND_CHECK_MS = 250;
/** Maximum signed transactions, of up to 4 kB each, in memory at the same time. */
const SIGNED_PER_READ = 256;

/** The transactions in flight by their outcome on chain. */
interface Found {
  readonly landed: (OpenTransaction & { readonly slot: bigint })[];
  readonly failed: (OpenTransaction & { readonly slot: bigint; readonly error: TransactionFailure })[];
  /** Can no longer land, as of this slot. */
  readonly expired: (OpenTransaction & { readonly slot: bigint })[];
  /** May still land. */
  readonly unseen: OpenTransaction[];
}

export interface Following {
  /** The number of transactions in flight at the beginning. */
  readonly open: number;
  /**
   * The number of them that are settled now. Transactions whose settling failed are not included.
   */
  readonly over: number;
}

/**
 * Asks the chain for the outcome of every transaction in flight and acts on it: settles what
 * landed, failed or expired, and resends the rest. Concurrent calls are safe. `resends` keeps the
 * time of each resend between calls.
 */
export async function followTransactions(
  ctx: AppContext,
  environment: Environment,
  resends = new Resends(),
): Promise<Following> {
  const chain = ctx.chain[environment];
  if (!chain) return { open: 0, over: 0 };
  const open = await openTransactions(ctx, environment);
  if (open.length === 0) return { open: 0, over: 0 };
  // Retries are dated by our clock.
  if (!(await clockAgrees(ctx, chain))) return { open: open.length, over: 0 };
  const current = await upToDate(ctx, chain);
  const { landed, failed, expired, unseen } = await askOutcomes(current, open);
  // An error with one kind must not stop the others.
  const settling = Promise.allSettled([
    settle(ctx, chain, landed),
    failTransactions(ctx, chain, failed),
    expire(ctx, current, expired),
  ]);
  const [sent] = await Promise.allSettled([resendUntil(settling, ctx, chain, unseen, resends)]);
  for (const outcome of [...(await settling), sent]) {
    if (outcome.status === 'fulfilled') continue;
    ctx.log.error({ err: outcome.reason, environment }, 'transactions not settled: will be retried');
  }
  return { open: open.length, over: await countSettled(ctx, [...landed, ...failed, ...expired]) };
}

/**
 * All transactions in flight, oldest first. There may be more than `MAX_IN_FLIGHT`, because several
 * workers may check the limit at the same time.
 */
async function openTransactions({ db }: AppContext, environment: Environment): Promise<OpenTransaction[]> {
  const open: OpenTransaction[] = [];
  for (;;) {
    const last = open.at(-1);
    const page = await db.$queryRaw<OpenTransaction[]>`
      SELECT t."id", t."signature", t."lastValidBlockHeight", t."createdAt",
        (SELECT count(*)::int FROM "Attempt" a WHERE a."transactionId" = t."id") AS "pulls"
      FROM "TransferTransaction" t
      WHERE t."environment" = ${environment}::"Environment" AND t."status" = 'SUBMITTED'
        AND (t."createdAt", t."id") > (${last?.createdAt ?? BEFORE_ALL}::timestamptz, ${last?.id ?? NIL}::uuid)
      ORDER BY t."createdAt", t."id" LIMIT ${IN_FLIGHT_PER_READ}`;
    for (const transaction of page) open.push(transaction);
    if (page.length < IN_FLIGHT_PER_READ) return open;
  }
}

const BEFORE_ALL = new Date(0);
const NIL = '00000000-0000-0000-0000-000000000000';

async function countSettled({ db }: AppContext, answered: readonly OpenTransaction[]): Promise<number> {
  if (answered.length === 0) return 0;
  return db.transferTransaction.count({
    where: { id: { in: answered.map(({ id }) => id) }, status: { not: 'SUBMITTED' } },
  });
}

async function askOutcomes(chain: Chain, open: readonly OpenTransaction[]): Promise<Found> {
  const outcomes = await signatureOutcomes(
    chain,
    open.map(({ signature }) => signature as Signature),
  );
  const found: Found = { landed: [], failed: [], expired: [], unseen: [] };
  for (const transaction of open) {
    const outcome = outcomes.get(transaction.signature as Signature);
    if (!outcome) continue;
    const fate = fateOf(outcome, transaction.lastValidBlockHeight);
    if (outcome.state === 'unseen') {
      if (fate === 'expired') found.expired.push({ ...transaction, slot: outcome.slot });
      else found.unseen.push(transaction);
    } else if (fate !== 'open') {
      const { slot, err: error } = outcome;
      if (error) found.failed.push({ ...transaction, slot, error });
      else found.landed.push({ ...transaction, slot });
    }
  }
  return found;
}

async function settle(ctx: AppContext, chain: Chain, landed: Found['landed']): Promise<void> {
  const batches = [...inBatches(landed)];
  await mapConcurrently(batches, MAX_CONCURRENT_BATCHES, (batch) => settleBatch(ctx, chain, batch));
}

function* inBatches(landed: Found['landed']): Generator<Found['landed']> {
  let batch: Found['landed'] = [];
  let pulls = 0;
  for (const transaction of landed) {
    batch.push(transaction);
    pulls += transaction.pulls;
    if (pulls < PULLS_PER_BATCH) continue;
    yield batch;
    [batch, pulls] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function settleBatch(ctx: AppContext, chain: Chain, landed: Found['landed']): Promise<void> {
  const { environment } = chain;
  const logError = (signature: string, err: unknown) =>
    ctx.log.error({ err, environment, signature }, 'transaction not settled: will be retried');
  const read = await mapConcurrently(landed, MAX_CONCURRENT_READS, async ({ id, signature }) => {
    const transaction = await readTransaction(chain, signature as Signature);
    try {
      // The node may not serve it yet, although it is confirmed.
      return transaction ? [{ id, ...seenTransaction(transaction) }] : [];
    } catch (err) {
      // A transaction with an unreadable event must not stop the others.
      logError(signature, err);
      return [];
    }
  });
  const seen = read.flat();
  const unsettled = await settleTransactions(ctx, environment, seen);
  for (const [signature, err] of unsettled) logError(signature, err);
  const settled = seen.filter(({ signature }) => !unsettled.has(signature));
  const open = await openAttempts(ctx, settled);
  if (open.length === 0) return;
  // Attempts that are still open: their pull counted for another period or another subscription at
  // the address, and settled the payment of that one.
  const now = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    await voidAttempts(tx, open, now);
    await closeSettled(tx, environment, settled, now);
  });
}

/** Settles transactions that can no longer land. Their payments are due again. */
async function expire(ctx: AppContext, { environment }: Chain, expired: Found['expired']): Promise<void> {
  if (expired.length === 0) return;
  const slot = highestSlot(expired.map((transaction) => transaction.slot));
  // The accounts of the next attempt are read from a state that contains the transfer if it landed
  // and the node did not know the signature: `collect/guard-pull.ts`.
  await recordSlot(ctx, environment, slot);
  const expireTogether = async (batch: readonly OpenTransaction[]) => {
    const open = await openAttempts(ctx, batch);
    const now = ctx.clock.now();
    await inTransaction(ctx, async (tx) => {
      await voidAttempts(tx, open, now);
      await closeExpired(tx, environment, { ids: batch.map(({ id }) => id), slot }, now);
    });
    const payments = open.length;
    ctx.log.warn(
      { environment, transactions: batch.length, payments },
      'transactions expired: their payments are due again',
    );
    return [];
  };
  await splitOnFailure(expired, expireTogether, ({ signature }, err) =>
    ctx.log.error({ err, signature }, 'expired transaction not settled: will be retried'),
  );
}

/** Reads the unsettled attempts of the transactions. Their payments are due again at once. */
async function openAttempts(
  { db, clock }: AppContext,
  transactions: readonly { readonly id: string }[],
): Promise<VoidAttempt[]> {
  if (transactions.length === 0) return [];
  const attempts = await db.attempt.findMany({
    where: { transactionId: { in: transactions.map(({ id }) => id) }, status: 'SUBMITTED' },
    select: { id: true, payment: { select: { subscriptionId: true, periodStart: true, ordinal: true } } },
  });
  const nextAttemptAt = clock.now();
  return attempts.map(({ id: attemptId, payment }) => ({ attemptId, nextAttemptAt, ...payment }));
}

/** Resends unseen transactions on time while others are settled, which may wait for a slow node. */
async function resendUntil(
  settling: Promise<unknown>,
  ctx: AppContext,
  chain: Chain,
  unseen: readonly OpenTransaction[],
  resends: Resends,
): Promise<void> {
  const settled = new AbortController();
  void settling.then(() => settled.abort());
  const { signal } = settled;
  do {
    await resend(ctx, chain, resends.take(unseen, ctx.clock.now()));
    await wait(RESEND_CHECK_MS, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted);
}

async function resend(ctx: AppContext, chain: Chain, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  // A transaction that a standby may not have is not sent: after a failover, its payments would be
  // due again, and signed a second time.
  await awaitStandby(ctx.db);
  for (const batch of inChunks(ids, SIGNED_PER_READ)) {
    const rows = await ctx.db.transferTransaction.findMany({
      where: { id: { in: batch }, status: 'SUBMITTED' },
      select: { wire: true },
    });
    await mapConcurrently(rows, MAX_CONCURRENT_SENDS, ({ wire }) => sendQuietly(ctx, chain, wire));
  }
}
