import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import type { Payment, Refund } from '../../../generated/prisma/client.ts';
import { lockMerchant } from '../../accounts/merchant/lock-merchant.ts';
import { MAX_REFUNDS } from '../../catalog/money/max-refunds.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validIdempotencyKey } from '../../kernel/input/idempotency-key.ts';
import { isId, validText } from '../../kernel/input/valid-text.ts';
import { enqueueRefundChecks } from './enqueue-refund-checks.ts';
import { type LostRefund, lostRefunds, referenceOf } from './lost-refunds.ts';
import { publishRefund } from './publish-refund.ts';
import { nextCheck, REFUND_LIFETIME_MS } from './refund-status.ts';
import { refundableAmount } from './refunded-amounts.ts';

/** Maximum refunds of a merchant and environment that may still be sent. */
export const MAX_WATCHED = 1_000;
const MAX_REASON = 500;

export interface CreateRefundInput {
  readonly paymentId: string;
  /** The amount in base units; default the whole refundable amount. */
  readonly amount?: bigint | undefined;
  /** The reason in the merchant's words. */
  readonly reason?: string | undefined;
  /** A repeated request with the same key returns the same refund. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Prepares a refund of a payment, or of a part of it. Nothing moves until the merchant's wallet
 * sends it: `refundTransaction`, or the refund's Solana Pay link.
 *
 * Pending and succeeded refunds together never exceed the payment when one is created.
 *
 * @throws BillingError not_found, param `paymentId`; invalid_request, param `paymentId`, `amount`,
 *   `reason` or `idempotencyKey`
 */
export async function createRefund(
  ctx: Pick<AppContext, 'chain' | 'config' | 'db' | 'clock' | 'jobs' | 'live' | 'log'>,
  scope: ActingScope,
  input: CreateRefundInput,
): Promise<Refund> {
  const { reason, idempotencyKey } = input;
  if (reason !== undefined) validText('reason', reason, MAX_REASON);
  if (idempotencyKey !== undefined) validIdempotencyKey('idempotencyKey', idempotencyKey);
  const lost = await lostRefunds(ctx, scope, input.paymentId);
  const refund = await ctx.db.$transaction(async (tx) => {
    // The merchant's refunds are created one after another, so that each counts those before it.
    await lockMerchant(tx, scope.merchantId);
    const repeated = await findRepeated(tx, scope, input);
    if (repeated) return repeated;
    const { id: paymentId, amount, refunds } = await findRefundable(tx, scope, withLost(input, lost));
    const used = new Set(refunds.map((other) => other.reference));
    const sent = sentBefore(
      lost.filter((other) => !used.has(other.reference)),
      amount,
    );
    const reference = sent?.reference ?? unusedReference(ctx, paymentId, used);
    const { merchantId, environment } = scope;
    const createdAt = ctx.clock.now();
    const created = await tx.refund.create({
      data: {
        merchantId,
        environment,
        paymentId,
        amount,
        reason: reason ?? null,
        reference,
        idempotencyKey: idempotencyKey ?? null,
        createdAt,
        requestedAt: createdAt,
        expiresAt: new Date(createdAt.getTime() + REFUND_LIFETIME_MS),
        nextCheckAt: nextCheck(createdAt, createdAt),
      },
    });
    const changes = newFields({ paymentId, amount, reason });
    await recordAudit(ctx, tx, scope, { action: 'refund.created', targetId: created.id, changes });
    return created;
  });
  await publishRefund(ctx, refund);
  await enqueueRefundChecks(ctx, refund.nextCheckAt);
  return refund;
}

/** Without an amount, the first lost refund is requested again. */
function withLost(input: CreateRefundInput, [first]: readonly LostRefund[]): CreateRefundInput {
  return { ...input, amount: input.amount ?? first?.amount };
}

/**
 * The lost refund that this request is: it gets its reference, so that its transfer is found, and no
 * other is sent.
 *
 * @throws BillingError invalid_request, param `amount`, while only refunds of other amounts are lost
 */
function sentBefore(lost: readonly LostRefund[], amount: bigint): LostRefund | undefined {
  const same = lost.find((other) => other.amount === amount);
  const [first] = lost;
  if (same || !first) return same;
  throw invalidRequest(
    'amount',
    `amount is ${amount}, but ${first.amount} base units of this payment were refunded by transaction ${first.signature}, and the database has lost that: request a refund of ${first.amount} first, for which nothing is sent.`,
  );
}

/** Usually that of the number of refunds so far; a refund that was lost may have taken it. */
function unusedReference(
  { config }: Pick<AppContext, 'config'>,
  paymentId: string,
  used: ReadonlySet<string>,
): string {
  for (let index = used.size; ; index++) {
    const reference = referenceOf(config, paymentId, index);
    if (!used.has(reference)) return reference;
  }
}

/**
 * @throws BillingError invalid_request, param `idempotencyKey`, for another request with the key
 */
async function findRepeated(
  tx: DbTransaction,
  { merchantId, environment }: Scope,
  { paymentId, amount, reason, idempotencyKey }: CreateRefundInput,
): Promise<Refund | null> {
  if (idempotencyKey === undefined) return null;
  const existing = await tx.refund.findFirst({ where: { merchantId, environment, idempotencyKey } });
  if (!existing) return null;
  const isSame =
    existing.paymentId === paymentId.toLowerCase() &&
    (amount === undefined || existing.amount === amount) &&
    existing.reason === (reason ?? null);
  if (isSame) return existing;
  throw invalidRequest('idempotencyKey', 'The key was used for another refund: choose a new one.');
}

/**
 * The payment, the amount to refund, and its refunds so far.
 *
 * @throws BillingError if the refund is not possible
 */
async function findRefundable(
  tx: DbTransaction,
  { merchantId, environment }: Scope,
  { paymentId: id, amount: requested }: CreateRefundInput,
): Promise<Pick<Payment, 'id' | 'amount'> & { readonly refunds: readonly Refund[] }> {
  const payment = isId(id)
    ? await tx.payment.findFirst({
        where: { id, merchantId, environment },
        include: { refunds: { include: { excess: true } } },
      })
    : null;
  if (!payment) throw notFound('payment', 'paymentId');
  if (payment.status !== 'SUCCEEDED') {
    throw invalidRequest(
      'paymentId',
      `The payment is ${payment.status}: only a payment that succeeded can be refunded.`,
    );
  }
  if (!payment.finalized) {
    throw invalidRequest('paymentId', 'The payment is not final on chain yet: try again in a minute.');
  }
  if (payment.refunds.length >= MAX_REFUNDS) {
    throw invalidRequest('paymentId', `The payment has ${MAX_REFUNDS} refunds, and more are not allowed.`);
  }
  const remaining = refundableAmount(payment, payment.refunds);
  if (remaining === 0n) {
    throw invalidRequest(
      'paymentId',
      'Nothing of the payment is left to refund: cancel a pending refund first.',
    );
  }
  const amount = requested ?? remaining;
  if (amount < 1n || amount > remaining) {
    throw invalidRequest(
      'amount',
      `amount must be 1 to ${remaining} base units: pending and succeeded refunds count.`,
    );
  }
  const watched = await tx.refund.count({
    where: { merchantId, environment, nextCheckAt: { not: null }, status: { not: 'SUCCEEDED' } },
  });
  if (watched >= MAX_WATCHED) {
    throw invalidRequest(
      'paymentId',
      `${environment} has ${watched} refunds that may still be sent, and at most ${MAX_WATCHED} are allowed: send some of them first.`,
    );
  }
  return { id: payment.id, amount, refunds: payment.refunds };
}
