import type { Signature } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction } from '../../chain/chain-transaction.ts';
import { explainPullFailure, type PullFailure } from '../../chain/errors.ts';
import { canPay, readPayers } from '../../chain/payers.ts';
import { resolvePulls } from '../../chain/pulls.ts';
import { type SignatureOutcome, signatureOutcomes } from '../../chain/send.ts';
import type { TransactionFailure } from '../../chain/transaction-failure.ts';
import type { Environment, Prisma } from '../../generated/prisma/client.ts';
import { failPayment } from './fail-payment.ts';
import { pullTermsOf } from './pull-terms.ts';
import { reconcilePeriod } from './reconcile-period.ts';
import { settleTransactionTransfers } from './settle-transaction.ts';
import { sendQuietly } from './submit-pulls.ts';

const MOST_AT_ONCE = 512;
/** When to try again after a failure that is not the customer's. */
const NOT_OPEN_DELAY_MS = 5_000;
const OURS_DELAY_MS = 30_000;

const followed = {
  include: {
    attempts: {
      where: { status: 'SUBMITTED' },
      include: { payment: { include: { subscription: { include: { plan: true, merchant: true } } } } },
    },
  },
} satisfies Prisma.TransferTransactionDefaultArgs;

type Followed = Prisma.TransferTransactionGetPayload<typeof followed>;
type FollowedAttempt = Followed['attempts'][number];

/**
 * Asks the chain what became of every transaction that was written down and is not settled, and acts on the answer:
 * landed, failed, provably dead, or to be sent again. Safe to run anywhere at any time, by several at once.
 */
export async function followTransactions(ctx: AppContext, environment: Environment): Promise<void> {
  const chain = ctx.chain[environment];
  if (!chain) return;
  const open = await ctx.db.transferTransaction.findMany({
    where: { environment, status: 'SUBMITTED' },
    orderBy: { createdAt: 'asc' },
    take: MOST_AT_ONCE,
    ...followed,
  });
  if (open.length === 0) return;
  const outcomes = await signatureOutcomes(
    chain,
    open.map(({ signature }) => signature as Signature),
  );
  for (const transaction of open) {
    const outcome = outcomes.get(transaction.signature as Signature);
    if (!outcome) continue;
    await followOne(ctx, chain, transaction, outcome).catch((err: unknown) => {
      ctx.log.error(
        { err, signature: transaction.signature },
        'transaction not settled, will be tried again',
      );
    });
  }
}

async function followOne(
  ctx: AppContext,
  chain: Chain,
  transaction: Followed,
  outcome: SignatureOutcome,
): Promise<void> {
  if (outcome.state === 'unseen') {
    if (outcome.blockHeight > transaction.lastValidBlockHeight) await expire(ctx, transaction);
    else await sendQuietly(ctx, chain, transaction.wire);
    return;
  }
  if (outcome.commitment === 'processed') return; // may still vanish with its fork
  if (outcome.err) await fail(ctx, chain, transaction, outcome.err);
  else await land(ctx, chain, transaction, outcome.slot);
}

async function land(
  ctx: AppContext,
  chain: Chain,
  { id, signature, attempts }: Followed,
  slot: bigint,
): Promise<void> {
  const transaction = await readTransaction(chain, signature as Signature);
  if (!transaction) return; // confirmed, but this node does not serve it yet
  await settleTransactionTransfers(ctx, chain.environment, transaction);
  await voidWhatItDidNotSettle(ctx, id, attempts);
  await close(ctx, id, { status: 'LANDED', slot });
}

/** A pull that was taken from another period, or another life of the address, has settled that one's payment. */
async function voidWhatItDidNotSettle(
  ctx: AppContext,
  transactionId: string,
  attempts: readonly FollowedAttempt[],
): Promise<void> {
  const open = await ctx.db.attempt.findMany({ where: { transactionId, status: 'SUBMITTED' } });
  for (const { id } of open) {
    const attempt = attempts.find((each) => each.id === id);
    if (attempt) await voidAttempt(ctx, attempt, ctx.clock.now());
  }
}

/** Its blockhash is past and no block has it: it can never land, and another one may be signed. */
async function expire(ctx: AppContext, { id, attempts }: Followed): Promise<void> {
  // The attempts first: what dies in between leaves a transaction that is found here again, never a payment that waits
  // for one that nobody follows.
  for (const attempt of attempts) await voidAttempt(ctx, attempt, ctx.clock.now());
  await close(ctx, id, { status: 'EXPIRED' });
}

async function fail(
  ctx: AppContext,
  chain: Chain,
  { id, signature, attempts }: Followed,
  error: TransactionFailure,
): Promise<void> {
  const { pull, failure } = explainPullFailure(error, attempts.length);
  for (const [index, attempt] of attempts.entries()) {
    await answer(ctx, chain, attempt, index === pull ? failure : { kind: 'ours' });
  }
  if (pull === null || failure.kind === 'ours' || failure.kind === 'plan_ended') {
    ctx.log.error({ signature, error, failure: failure.kind }, 'a collection failed for a reason of our own');
  }
  await close(ctx, id, { status: 'FAILED', error: { ...error } });
}

/** What a failure on chain means for one attempt. */
async function answer(
  ctx: AppContext,
  chain: Chain,
  attempt: FollowedAttempt,
  failure: PullFailure,
): Promise<void> {
  const { subscription } = attempt.payment;
  const after = (delayMs: number) => new Date(ctx.clock.now().getTime() + delayMs);
  switch (failure.kind) {
    case 'payer':
    case 'payer_or_merchant': {
      const [pull] = await resolvePulls([pullTermsOf(subscription, attempt.payment.amount)]);
      const [payer] = pull ? await readPayers(chain, [pull]) : [];
      const ability = payer && canPay(payer, attempt.payment.amount);
      const stillTheirs = failure.kind === 'payer' || (ability && !ability.ok);
      if (!stillTheirs) return voidAttempt(ctx, attempt, after(OURS_DELAY_MS));
      const about = { subscriptionId: subscription.id, paymentId: attempt.paymentId, attemptId: attempt.id };
      const balanceAvailable = payer?.tokenAccount?.amount ?? 0n;
      return failPayment(ctx, about, { code: failure.failureCode, balanceAvailable });
    }
    case 'already_collected':
      await voidAttempt(ctx, attempt, after(NOT_OPEN_DELAY_MS));
      return reconcilePeriod(ctx, chain, subscription);
    case 'not_open':
      return voidAttempt(ctx, attempt, after(NOT_OPEN_DELAY_MS));
    case 'cancelled':
    case 'plan_ended':
    case 'ours':
      return voidAttempt(ctx, attempt, after(OURS_DELAY_MS));
  }
}

/** The attempt came to nothing and says nothing about the payer; its payment is tried again then. */
async function voidAttempt(ctx: AppContext, attempt: FollowedAttempt, nextAttemptAt: Date): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.attempt.updateMany({
      where: { id: attempt.id, status: 'SUBMITTED' },
      data: { status: 'VOID', settledAt: now },
    });
    if (count === 0) return;
    await tx.subscription.updateMany({
      where: {
        id: attempt.payment.subscriptionId,
        status: { in: ['ACTIVE', 'PAST_DUE'] },
        nextAttemptAt: null,
      },
      data: { nextAttemptAt },
    });
  });
}

async function close(
  { db, clock }: AppContext,
  id: string,
  data: Prisma.TransferTransactionUpdateManyMutationInput,
): Promise<void> {
  await db.transferTransaction.updateMany({
    where: { id, status: 'SUBMITTED' },
    data: { ...data, settledAt: clock.now() },
  });
}
