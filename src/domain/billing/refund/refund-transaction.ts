import type { AppContext } from '../../../app.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { refundTransaction as createTransaction } from '../../../chain/transactions/refund-transactions.ts';
import { type Refusal, TransactionRefused } from '../../../chain/transactions/transaction-refused.ts';
import { type BillingError, invalidRequest } from '../../../errors.ts';
import type { Refund } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { assertNotSent, wasSent } from './assert-not-sent.ts';
import { enqueueRefundChecks } from './enqueue-refund-checks.ts';
import { findRefund, type SendableRefund, sendable } from './find-refund.ts';
import { mayBeSent } from './may-be-sent.ts';
import { refundSource } from './refund-source.ts';
import { nextCheck } from './refund-status.ts';
import { memoOf, termsOf } from './refund-terms.ts';

export interface RefundToSign {
  readonly refund: Refund;
  /** Unsigned, in base64, for the merchant's wallet. */
  readonly transaction: string;
}

/**
 * Creates the transaction with which the merchant's wallet sends a refund. It is valid for about a
 * minute. No more is created once a transfer of the refund has landed, so that the refund is not
 * sent twice.
 *
 * @throws BillingError not_found, or invalid_request if it is not pending, was sent, may have been
 *   sent, or the chain would refuse the transaction; param `id`
 */
export async function refundTransaction(ctx: AppContext, scope: Scope, id: string): Promise<RefundToSign> {
  const sendableRefund = await findRefund(ctx.db, scope, id, sendable);
  assertSendable(sendableRefund, ctx.clock.now());
  const chain = await upToDate(ctx, chainOf(ctx, scope.environment), FEW_ATTEMPTS);
  try {
    await assertNotSent(chain, sendableRefund);
    const terms = termsOf(sendableRefund);
    const source = await refundSource(ctx, chain, scope, terms);
    const transaction = await createTransaction(chain, { ...terms, source }, memoOf(sendableRefund));
    const refund = await watchClosely(ctx, sendableRefund);
    return { refund, transaction };
  } catch (cause) {
    throw cause instanceof TransactionRefused ? refused(ctx, cause) : replaceNodeBehind(cause, 'id');
  }
}

function assertSendable(refund: SendableRefund, now: Date): void {
  const { status, expiresAt, sentSignature } = refund;
  if (status !== 'PENDING' || expiresAt <= now) {
    const currentStatus = status === 'PENDING' ? 'EXPIRED' : status;
    throw invalidRequest('id', `The refund is ${currentStatus}: only a pending one can be sent.`);
  }
  if (sentSignature !== null) throw wasSent(sentSignature);
  if (!mayBeSent(refund, now)) {
    throw invalidRequest('id', 'Other refunds of the payment have succeeded, and too little of it is left.');
  }
}

/** Makes the checks of a refund frequent for a while, because the merchant is about to send it. */
async function watchClosely(
  ctx: AppContext,
  { id, createdAt }: Pick<Refund, 'id' | 'createdAt'>,
): Promise<Refund> {
  // Later than its creation, also while the clock stands still: this shows that it was requested.
  const requestedAt = new Date(Math.max(ctx.clock.now().getTime(), createdAt.getTime() + 1));
  const nextCheckAt = nextCheck(requestedAt, requestedAt);
  await ctx.db.refund.updateMany({
    where: { id, nextCheckAt: { not: null } },
    data: { requestedAt, nextCheckAt },
  });
  await enqueueRefundChecks(ctx, nextCheckAt);
  return ctx.db.refund.findUniqueOrThrow({ where: { id } });
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  insufficient_tokens: "The merchant's wallet has too little of the token.",
  insufficient_sol:
    "The merchant's wallet has too little SOL for the network fee and, if it is missing, the customer's token account.",
  token_account_frozen: "The token account of the merchant's or the customer's wallet is frozen.",
};

function refused({ log }: Pick<AppContext, 'log'>, cause: TransactionRefused): BillingError {
  const message = REFUSALS[cause.refusal];
  if (!message) log.warn({ err: cause }, 'refund refused by the cluster for an unknown reason');
  return invalidRequest('id', message ?? 'The network would refuse the refund.');
}
