import { invalidRequest } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { isId } from '../merchant/valid-text.ts';
import { auditActions } from './actions.ts';

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly targetId?: string | undefined;
  /** Of the key or the member. */
  readonly actorId?: string | undefined;
}

/** Which of a merchant's entries are meant. @throws BillingError invalid_request, param `action` or `actorId` */
export function auditWhere(
  merchantId: string,
  { action, targetId, actorId }: AuditFilter,
): Prisma.AuditEntryWhereInput {
  if (action !== undefined && !auditActions.some((each) => each === action)) {
    throw invalidRequest('action', `action must be one of ${auditActions.join(', ')}.`);
  }
  if (actorId !== undefined && !isId(actorId)) throw invalidRequest('actorId', 'actorId must be a UUID.');
  return {
    merchantId,
    ...(action && { action }),
    ...(targetId && { targetId }),
    ...(actorId && { actorId }),
  };
}
