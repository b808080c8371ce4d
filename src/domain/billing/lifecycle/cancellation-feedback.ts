import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { CancellationRequest } from '../../../generated/prisma/client.ts';
import type { Actor } from '../../kernel/audit-log/actor.ts';
import { validText } from '../../kernel/input/valid-text.ts';

/** The reasons for cancelling that the portal offers to customers. */
export const CANCELLATION_REASONS = [
  'too_expensive',
  'not_used',
  'missing_features',
  'switched',
  'problems',
  'other',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** A customer's reason and comment for a cancellation. */
export interface CancellationFeedback {
  readonly reason?: CancellationReason | undefined;
  readonly comment?: string | undefined;
}

const MAX_COMMENT = 1_000;

/** @throws BillingError invalid_request, param `comment` */
export function validFeedback({ reason, comment }: CancellationFeedback): CancellationFeedback {
  const trimmed = comment?.trim();
  return { reason, comment: trimmed ? validText('comment', trimmed, MAX_COMMENT) : undefined };
}

type Requests = Pick<DbTransaction, 'cancellationRequest'>;

/** The customer's cancellation request that applies to a subscription, or null. */
export async function openRequest(tx: Requests, subscriptionId: string): Promise<CancellationRequest | null> {
  const [request] = await openRequests(tx, [subscriptionId]);
  return request ?? null;
}

/** The requests that apply to these subscriptions; subscriptions without one are left out. */
export function openRequests(
  tx: Requests,
  subscriptionIds: readonly string[],
): Promise<CancellationRequest[]> {
  return tx.cancellationRequest.findMany({
    where: { subscriptionId: { in: [...subscriptionIds] }, withdrawnAt: null },
  });
}

/**
 * Records who cancelled: the customer, with the feedback, or the merchant, which ends an earlier
 * request of the customer.
 */
export async function recordRequest(
  tx: Requests,
  subscriptionId: string,
  actor: Actor | undefined,
  { reason, comment }: CancellationFeedback,
  at: Date,
): Promise<void> {
  await withdrawRequest(tx, subscriptionId, at);
  if (actor?.kind !== 'CUSTOMER') return;
  await tx.cancellationRequest.create({
    data: { subscriptionId, reason: reason ?? null, comment: comment ?? null, createdAt: at },
  });
}

export async function withdrawRequest(tx: Requests, subscriptionId: string, at: Date): Promise<void> {
  await tx.cancellationRequest.updateMany({
    where: { subscriptionId, withdrawnAt: null },
    data: { withdrawnAt: at },
  });
}

/**
 * Checks that the actor made the cancellation. A merchant must not charge a customer who has
 * cancelled, and a customer cannot take back the merchant's cancellation.
 *
 * @throws BillingError invalid_request, param `subscription`
 */
export function assertMayUndo(request: CancellationRequest | null, actor: Actor | undefined): void {
  const isCustomer = actor?.kind === 'CUSTOMER';
  if (request && !isCustomer) {
    throw invalidRequest(
      'subscription',
      'The customer cancelled it, and only the customer can take that back.',
    );
  }
  if (!request && isCustomer) {
    throw invalidRequest('subscription', 'You have not cancelled it here, so there is nothing to take back.');
  }
}
