import type { Signature } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction } from '../../chain/chain-transaction.ts';
import { signatureOutcomes } from '../../chain/send.ts';
import type { TransactionFailure } from '../../chain/transaction-failure.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { inCountedTransaction } from '../../metrics/count-when-committed.ts';
import { sideBySide } from '../../side-by-side.ts';
import { apart } from './books/apart.ts';
import { clockAgrees } from './clock-agrees.ts';
import { closeExpired, closeSettled } from './close-transactions.ts';
import { failTransactions } from './fail-transactions.ts';
import { seenTransaction, settleTransactions } from './settle-transactions.ts';
import { sendQuietly } from './submit-pulls.ts';
import { type VoidAttempt, voidAttempts } from './void-attempts.ts';

const MOST_AT_ONCE = 1_024;
/** Landed transactions are read and settled together until they have so many pulls. */
const PULLS_TOGETHER = 200;
/** So many of these batches at a time: one is read while others are written. */
const BATCHES_AT_ONCE = 3;
const READS_AT_ONCE = 16;
const SENDS_AT_ONCE = 16;
/** Sent as long ago, a transaction may have been lost, and is sent again. */
const RESEND_AFTER_MS = 2_000;

export interface OpenTransaction {
  readonly id: string;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  readonly createdAt: Date;
  /** How many payments it collects. */
  readonly pulls: number;
}

/** What the chain says of the open ones. */
interface Found {
  readonly landed: (OpenTransaction & { readonly slot: bigint })[];
  readonly failed: (OpenTransaction & { readonly slot: bigint; readonly error: TransactionFailure })[];
  /** Provably dead. */
  readonly expired: OpenTransaction[];
  /** May still land. */
  readonly unseen: OpenTransaction[];
}

export interface Following {
  /** How many were still under way when it began. */
  readonly open: number;
  /** How many of them are settled: less than the chain has answered for, where some could not be booked. */
  readonly over: number;
}

/**
 * Asks the chain what became of every transaction that was written down and is not settled, and acts on the answer:
 * landed, failed, provably dead, or to be sent again. Safe to run anywhere at any time, by several at once. `resent`
 * remembers what was sent again, which is not sent a second time.
 */
export async function followTransactions(
  ctx: AppContext,
  environment: Environment,
  resent = new Set<string>(),
): Promise<Following> {
  const chain = ctx.chain[environment];
  if (!chain) return { open: 0, over: 0 };
  const open = await openTransactions(ctx, environment);
  // When those that failed are tried again is decided by our clock.
  if (open.length === 0 || !(await clockAgrees(ctx, chain))) return { open: 0, over: 0 };
  const { landed, failed, expired, unseen } = await ask(chain, open);
  // Each kind by itself: trouble with one is no reason to leave the others.
  const kinds = [
    settle(ctx, chain, landed),
    failTransactions(ctx, chain, failed),
    expire(ctx, expired),
    sendAgain(ctx, chain, unseen, resent),
  ];
  for (const outcome of await Promise.allSettled(kinds)) {
    if (outcome.status === 'fulfilled') continue;
    ctx.log.error({ err: outcome.reason, environment }, 'transactions not settled, will be tried again');
  }
  return { open: open.length, over: await countSettled(ctx, [...landed, ...failed, ...expired]) };
}

function openTransactions({ db }: AppContext, environment: Environment): Promise<OpenTransaction[]> {
  return db.$queryRaw<OpenTransaction[]>`
    SELECT t."id", t."signature", t."lastValidBlockHeight", t."createdAt",
      (SELECT count(*)::int FROM "Attempt" a WHERE a."transactionId" = t."id") AS "pulls"
    FROM "TransferTransaction" t
    WHERE t."environment" = ${environment}::"Environment" AND t."status" = 'SUBMITTED'
    ORDER BY t."createdAt" LIMIT ${MOST_AT_ONCE}`;
}

async function countSettled({ db }: AppContext, answered: readonly OpenTransaction[]): Promise<number> {
  if (answered.length === 0) return 0;
  return db.transferTransaction.count({
    where: { id: { in: answered.map(({ id }) => id) }, status: { not: 'SUBMITTED' } },
  });
}

async function ask(chain: Chain, open: readonly OpenTransaction[]): Promise<Found> {
  const outcomes = await signatureOutcomes(
    chain,
    open.map(({ signature }) => signature as Signature),
  );
  const found: Found = { landed: [], failed: [], expired: [], unseen: [] };
  for (const transaction of open) {
    const outcome = outcomes.get(transaction.signature as Signature);
    if (!outcome) continue;
    if (outcome.state === 'unseen') {
      const isDead = outcome.blockHeight > transaction.lastValidBlockHeight;
      (isDead ? found.expired : found.unseen).push(transaction);
    } else if (outcome.commitment !== 'processed') {
      // A processed one may still vanish with its fork.
      const { slot, err: error } = outcome;
      if (error) found.failed.push({ ...transaction, slot, error });
      else found.landed.push({ ...transaction, slot });
    }
  }
  return found;
}

async function settle(ctx: AppContext, chain: Chain, landed: Found['landed']): Promise<void> {
  const batches = [...inBatches(landed)];
  await sideBySide(batches, BATCHES_AT_ONCE, (batch) => settleBatch(ctx, chain, batch));
}

function* inBatches(landed: Found['landed']): Generator<Found['landed']> {
  let batch: Found['landed'] = [];
  let pulls = 0;
  for (const transaction of landed) {
    batch.push(transaction);
    pulls += transaction.pulls;
    if (pulls < PULLS_TOGETHER) continue;
    yield batch;
    [batch, pulls] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function settleBatch(ctx: AppContext, chain: Chain, landed: Found['landed']): Promise<void> {
  const { environment } = chain;
  const complain = (signature: string, err: unknown) =>
    ctx.log.error({ err, environment, signature }, 'transaction not settled, will be tried again');
  const read = await sideBySide(landed, READS_AT_ONCE, async ({ id, signature }) => {
    const transaction = await readTransaction(chain, signature as Signature);
    try {
      // Confirmed, but this node does not serve it yet.
      return transaction ? [{ id, ...seenTransaction(transaction) }] : [];
    } catch (err) {
      // An event of it cannot be read: that is no reason to leave the others.
      complain(signature, err);
      return [];
    }
  });
  const seen = read.flat();
  const unsettled = await settleTransactions(ctx, environment, seen);
  for (const [signature, err] of unsettled) complain(signature, err);
  const settled = seen.filter(({ signature }) => !unsettled.has(signature));
  const open = await openAttempts(ctx, settled);
  if (open.length === 0) return;
  // A pull that was taken from another period, or another life of the address, has settled that one's payment.
  const now = ctx.clock.now();
  await inCountedTransaction(ctx.db, async (tx) => {
    await voidAttempts(tx, open, now);
    await closeSettled(tx, environment, settled, now);
  });
}

/** Their blockhash is past and no block has them: they can never land, and others may be signed. */
async function expire(ctx: AppContext, expired: readonly OpenTransaction[]): Promise<void> {
  const expireTogether = async (some: readonly OpenTransaction[]) => {
    const open = await openAttempts(ctx, some);
    const now = ctx.clock.now();
    await inCountedTransaction(ctx.db, async (tx) => {
      await voidAttempts(tx, open, now);
      await closeExpired(
        tx,
        some.map(({ id }) => id),
        now,
      );
    });
    return [];
  };
  await apart(expired, expireTogether, ({ signature }, err) =>
    ctx.log.error({ err, signature }, 'transaction not given up, will be tried again'),
  );
}

/** Those of their attempts that nothing has settled; their payments are due again at once. */
async function openAttempts(
  { db, clock }: AppContext,
  transactions: readonly { readonly id: string }[],
): Promise<VoidAttempt[]> {
  if (transactions.length === 0) return [];
  const attempts = await db.attempt.findMany({
    where: { transactionId: { in: transactions.map(({ id }) => id) }, status: 'SUBMITTED' },
    select: { id: true, payment: { select: { subscriptionId: true, periodStart: true } } },
  });
  const nextAttemptAt = clock.now();
  return attempts.map(({ id: attemptId, payment }) => ({ attemptId, nextAttemptAt, ...payment }));
}

async function sendAgain(
  ctx: AppContext,
  chain: Chain,
  unseen: readonly OpenTransaction[],
  resent: Set<string>,
): Promise<void> {
  const sentBefore = ctx.clock.now().getTime() - RESEND_AFTER_MS;
  const ids = unseen
    .filter(({ id, createdAt }) => createdAt.getTime() <= sentBefore && !resent.has(id))
    .map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = await ctx.db.transferTransaction.findMany({
    where: { id: { in: ids }, status: 'SUBMITTED' },
    select: { id: true, wire: true },
  });
  await sideBySide(rows, SENDS_AT_ONCE, async ({ id, wire }) => {
    resent.add(id);
    await sendQuietly(ctx, chain, wire);
  });
}
