import { invalidRequest } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { createdIn, type TimeRange } from '../input/time-filter.ts';
import { isId } from '../input/valid-text.ts';
import { auditActions } from './actions.ts';

export interface AuditFilter extends TimeRange {
  readonly action?: string | undefined;
  readonly targetId?: string | undefined;
  /** Id of the key or the member. */
  readonly actorId?: string | undefined;
}

/**
 * The filter for a merchant's audit entries.
 *
 * @throws BillingError invalid_request, param `action`, `actorId` or `to`
 */
export function auditWhere(
  merchantId: string,
  { action, targetId, actorId, from, to }: AuditFilter,
): Prisma.AuditEntryWhereInput {
  if (action !== undefined && !auditActions.some((known) => known === action)) {
    throw invalidRequest('action', `action must be one of ${auditActions.join(', ')}.`);
  }
  if (actorId !== undefined && !isId(actorId)) throw invalidRequest('actorId', 'actorId must be a UUID.');
  return {
    merchantId,
    ...createdIn({ from, to }),
    ...(action && { action }),
    ...(targetId && { targetId }),
    ...(actorId && { actorId }),
  };
}
