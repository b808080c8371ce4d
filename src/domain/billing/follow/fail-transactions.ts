import type { Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { type Payer, readPayersApart } from '../../../chain/accounts/payers.ts';
import type { Chain } from '../../../chain/chain.ts';
import { explainPullFailure, type PullFailure } from '../../../chain/pull-failures.ts';
import { asOf, FEW_ATTEMPTS, highestSlot, NodeBehind } from '../../../chain/rpc/as-of.ts';
import { readTransaction } from '../../../chain/rpc/chain-transaction.ts';
import type { TransactionFailure } from '../../../chain/rpc/transaction-failure.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { readCollectionGate } from '../../chain-state/mirror/collection-gate.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { decisionAfterLandedFailure, waitIfInDoubt } from '../collect/collect-decision.ts';
import { leftOfLimit } from '../collect/guard-pull.ts';
import { pullTermsOf } from '../collect/pull-terms.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { endsOfPeriod, nextAttempt } from '../schedule/retry-time.ts';
import { closeFailed } from '../settle/close-transactions.ts';
import { type FailedAttempt, failPayments } from '../settle/fail-payments.ts';
import { settlePeriod } from '../settle/settle-period.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { type VoidAttempt, voidAttempts } from './void-attempts.ts';

const MAX_CONCURRENT_READS = 16;

const followedAttempt = {
  include: { payment: { include: { subscription: { include: { plan: true, merchant: true } } } } },
} satisfies Prisma.AttemptFindManyArgs;
type FollowedAttempt = Prisma.AttemptGetPayload<typeof followedAttempt>;

interface FailedTransaction extends OpenTransaction {
  readonly slot: bigint;
  readonly error: TransactionFailure;
}

/** An attempt of a failed transaction, and its own failure: `companion` if another pull failed. */
interface Judged {
  readonly attempt: FollowedAttempt;
  readonly failure: PullFailure | { readonly kind: 'companion' };
}

/**
 * Settles transactions that landed with an error. At most one pull of each caused it; the other
 * payments are due again at once.
 */
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
    const attemptsOfTransaction = attempts.filter(({ transactionId }) => transactionId === transaction.id);
    return judge(ctx, transaction, attemptsOfTransaction);
  });
  const { failures, voids } = await decideAttempts(
    ctx,
    chain,
    judged,
    highestSlot(failed.map(({ slot }) => slot)),
  );
  await failPayments(ctx, failures);
  await closeFailedTransactions(ctx, chain, failed, voids);
  for (const { attempt, failure } of judged) {
    if (failure.kind !== 'already_collected') continue;
    await settlePeriod(ctx, chain, attempt.payment);
  }
}

function judge(
  ctx: AppContext,
  { signature, error }: FailedTransaction,
  attempts: readonly FollowedAttempt[],
): Judged[] {
  const { pullIndex, failure } = explainPullFailure(
    error,
    attempts.map(({ instruction }) => instruction),
  );
  const open = attempts.filter(({ status }) => status === 'SUBMITTED');
  if (pullIndex === null || failure.kind === 'ours' || failure.kind === 'plan_ended') {
    ctx.log.error(
      { signature, error, failure: failure.kind },
      'pull failed for a reason that is not the payer’s',
    );
  }
  return open.map((attempt) => ({
    attempt,
    failure: pullIndex === null || pullIndex === attempt.instruction ? failure : { kind: 'companion' },
  }));
}

interface TransactionVoid extends VoidAttempt {
  readonly transactionId: string | null;
}

/** Splits attempts into failures and voids. `failureSlot` is the newest slot of the failures. */
async function decideAttempts(
  ctx: AppContext,
  chain: Chain,
  judged: readonly Judged[],
  failureSlot: bigint,
): Promise<{ failures: FailedAttempt[]; voids: TransactionVoid[] }> {
  const gate = await readCollectionGate(ctx, chain.environment);
  const suspects = judged.filter(({ failure }) => 'failureCode' in failure);
  // Read as of the failure: an older state has other balances.
  const payers = await readPayersApart(
    asOf(chain, highestSlot([gate.knownSlot, failureSlot]), FEW_ATTEMPTS),
    suspects.map(({ attempt: { payment } }) => pullTermsOf(payment.subscription, payment.amount)),
  ).catch((error: unknown): (Payer | undefined)[] => {
    if (!(error instanceof NodeBehind)) throw error;
    return [];
  });
  const failedBefore = await paymentsFailedBefore(
    ctx,
    suspects.map(({ attempt }) => attempt.paymentId),
  );
  const payerOf = new Map(suspects.map(({ attempt }, index) => [attempt.id, payers[index]]));
  const failures: FailedAttempt[] = [];
  const voids: TransactionVoid[] = [];
  for (const { attempt, failure } of judged) {
    const { subscriptionId, periodStart, ordinal } = attempt.payment;
    const key = { subscriptionId, periodStart, ordinal, attemptId: attempt.id };
    const decision =
      failure.kind === 'companion'
        ? RETRY_NOW
        : waitIfInDoubt(
            decisionAfterLandedFailure(failure, payerOf.get(attempt.id), {
              amount: pulledAmount(attempt.payment, payerOf.get(attempt.id)),
              isRepeated: failedBefore.has(attempt.paymentId),
            }),
            gate,
          );
    if (decision.kind === 'fail') failures.push({ ...key, failure: decision.failure });
    else {
      const delayMs = 'delayMs' in decision ? decision.delayMs : 0;
      const ends = endsOfPeriod(scheduleOf(attempt.payment.subscription), periodStart);
      const nextAttemptAt = nextAttempt(ctx.clock.now(), delayMs, ends);
      voids.push({ ...key, nextAttemptAt, transactionId: attempt.transactionId });
    }
  }
  return { failures, voids };
}

/** What was pulled: what is owed, or the part of it that fitted. The failed pull moved nothing. */
function pulledAmount({ amount, periodStart }: FollowedAttempt['payment'], payer: Payer | undefined): bigint {
  const left = payer?.subscription ? leftOfLimit(payer.subscription, { periodStart }) : amount;
  return left > 0n && left < amount ? left : amount;
}

/** The payments whose own pull failed on chain before, without a failure of the payer. */
async function paymentsFailedBefore(
  { db }: AppContext,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paymentIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ paymentId: string }[]>`
    SELECT DISTINCT a."paymentId"
    FROM "Attempt" a JOIN "TransferTransaction" t ON t."id" = a."transactionId"
    WHERE a."paymentId" = ANY(${[...paymentIds]}::uuid[]) AND a."status" = 'VOID' AND t."status" = 'FAILED'
      AND (t."error"->>'instruction')::int = a."instruction"`;
  return new Set(rows.map(({ paymentId }) => paymentId));
}

/** The other payments of the transaction are due again at once. */
const RETRY_NOW = { kind: 'later', delayMs: 0 } as const;

async function closeFailedTransactions(
  ctx: AppContext,
  chain: Chain,
  failed: readonly FailedTransaction[],
  voids: readonly TransactionVoid[],
): Promise<void> {
  const transactionsToClose = await mapConcurrently(
    failed,
    MAX_CONCURRENT_READS,
    async ({ id, signature, slot, error }) => {
      const transaction = await readTransaction(chain, signature as Signature);
      return { id, signature, slot, error, feeLamports: transaction?.feeLamports ?? null };
    },
  );
  const closeTogether = async (batch: readonly (typeof transactionsToClose)[number][]) => {
    const ids = new Set(batch.map(({ id }) => id));
    const now = ctx.clock.now();
    await inTransaction(ctx, async (tx) => {
      const transactionVoids = voids.filter(({ transactionId }) => ids.has(transactionId ?? ''));
      await voidAttempts(tx, transactionVoids, now);
      await closeFailed(tx, chain.environment, batch, now);
    });
    return [];
  };
  await splitOnFailure(transactionsToClose, closeTogether, ({ signature }, err) =>
    ctx.log.error({ err, signature }, 'transaction not settled: will be retried'),
  );
}
