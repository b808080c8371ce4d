import type { Address, Signature } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction } from '../../chain/chain-transaction.ts';
import { explainPullFailure, type PullFailure } from '../../chain/errors.ts';
import { readPayers } from '../../chain/payers.ts';
import type { TransactionFailure } from '../../chain/transaction-failure.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { inCountedTransaction } from '../../metrics/count-when-committed.ts';
import { sideBySide } from '../../side-by-side.ts';
import { collectionMayGoOn } from '../mirror/collection-may-go-on.ts';
import { apart } from './books/apart.ts';
import { closeFailed } from './close-transactions.ts';
import { type FailedTry, failPayments } from './fail-payments.ts';
import type { OpenTransaction } from './follow-transactions.ts';
import { pullTermsOf } from './pull-terms.ts';
import { reconcilePeriod } from './reconcile-period.ts';
import { nextTry, refusalOf, unlessInDoubt } from './verdict.ts';
import { type VoidAttempt, voidAttempts } from './void-attempts.ts';

const READS_AT_ONCE = 16;

const followedAttempt = {
  include: { payment: { include: { subscription: { include: { plan: true, merchant: true } } } } },
} satisfies Prisma.AttemptFindManyArgs;
type FollowedAttempt = Prisma.AttemptGetPayload<typeof followedAttempt>;

interface FailedTransaction extends OpenTransaction {
  readonly slot: bigint;
  readonly error: TransactionFailure;
}

/** An attempt of a transaction that failed as a whole, and what that means for it. */
interface Judged {
  readonly attempt: FollowedAttempt;
  readonly failure: PullFailure | { readonly kind: 'companion' };
}

/** These landed with an error: nothing moved. One pull of each is to blame, or none; the others are due again at once. */
export async function failTransactions(
  ctx: AppContext,
  chain: Chain,
  failed: readonly FailedTransaction[],
): Promise<void> {
  if (failed.length === 0) return;
  const attempts = await ctx.db.attempt.findMany({
    ...followedAttempt,
    where: { transactionId: { in: failed.map(({ id }) => id) } },
  });
  const judged = failed.flatMap((transaction) => {
    const own = attempts.filter(({ transactionId }) => transactionId === transaction.id);
    return judge(ctx, transaction, own);
  });
  const { failures, voids } = await answer(ctx, chain, judged);
  await failPayments(ctx, failures);
  await closeAll(ctx, chain, failed, voids);
  for (const { attempt, failure } of judged) {
    if (failure.kind !== 'already_collected') continue;
    await reconcilePeriod(ctx, chain, attempt.payment.subscription.address as Address);
  }
}

function judge(
  ctx: AppContext,
  { signature, error }: FailedTransaction,
  attempts: readonly FollowedAttempt[],
): Judged[] {
  const { place, failure } = explainPullFailure(
    error,
    attempts.map(({ instruction }) => instruction),
  );
  const open = attempts.filter(({ status }) => status === 'SUBMITTED');
  if (place === null || failure.kind === 'ours' || failure.kind === 'plan_ended') {
    ctx.log.error({ signature, error, failure: failure.kind }, 'a collection failed for a reason of our own');
  }
  return open.map((attempt) => ({
    attempt,
    failure: place === null || place === attempt.instruction ? failure : { kind: 'companion' },
  }));
}

interface VoidIn extends VoidAttempt {
  readonly transactionId: string | null;
}

/** Those who could not pay, and those that are due again. */
async function answer(
  ctx: AppContext,
  chain: Chain,
  judged: readonly Judged[],
): Promise<{ failures: FailedTry[]; voids: VoidIn[] }> {
  const gate = await collectionMayGoOn(ctx, chain.environment);
  const suspects = judged.filter(({ failure }) => 'failureCode' in failure);
  const payers = await readPayers(
    chain,
    suspects.map(({ attempt: { payment } }) => pullTermsOf(payment.subscription, payment.amount)),
  );
  const payerOf = new Map(suspects.map(({ attempt }, index) => [attempt.id, payers[index]]));
  const failures: FailedTry[] = [];
  const voids: VoidIn[] = [];
  for (const { attempt, failure } of judged) {
    const { subscriptionId, periodStart } = attempt.payment;
    const about = { subscriptionId, periodStart, attemptId: attempt.id };
    const refusal =
      failure.kind === 'companion'
        ? AT_ONCE
        : unlessInDoubt(refusalOf(failure, payerOf.get(attempt.id), attempt.payment.amount), gate);
    if (refusal.kind === 'fail') failures.push({ ...about, failure: refusal.failure });
    else {
      const delayMs = 'delayMs' in refusal ? refusal.delayMs : 0;
      const { intervalSeconds } = attempt.payment.subscription.plan;
      const nextAttemptAt = nextTry(ctx.clock.now(), delayMs, periodStart + BigInt(intervalSeconds));
      voids.push({ ...about, nextAttemptAt, transactionId: attempt.transactionId });
    }
  }
  return { failures, voids };
}

/** A companion of the pull that failed goes again, without that one. */
const AT_ONCE = { kind: 'later', delayMs: 0 } as const;

async function closeAll(
  ctx: AppContext,
  chain: Chain,
  failed: readonly FailedTransaction[],
  voids: readonly VoidIn[],
): Promise<void> {
  const closing = await sideBySide(failed, READS_AT_ONCE, async ({ id, signature, slot, error }) => {
    const transaction = await readTransaction(chain, signature as Signature);
    return { id, signature, slot, error, feeLamports: transaction?.feeLamports ?? null };
  });
  const closeTogether = async (some: readonly (typeof closing)[number][]) => {
    const ids = new Set(some.map(({ id }) => id));
    const now = ctx.clock.now();
    await inCountedTransaction(ctx.db, async (tx) => {
      const theirs = voids.filter(({ transactionId }) => ids.has(transactionId ?? ''));
      await voidAttempts(tx, theirs, now);
      await closeFailed(tx, chain.environment, some, now);
    });
    return [];
  };
  await apart(closing, closeTogether, ({ signature }, err) =>
    ctx.log.error({ err, signature }, 'transaction not settled, will be tried again'),
  );
}
