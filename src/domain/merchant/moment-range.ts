import { invalidRequest } from '../../errors.ts';

/** A stretch of time; without an end it is open there. */
export interface MomentRange {
  /** The first moment in it. */
  readonly from?: Date | undefined;
  /** The first moment after it. */
  readonly to?: Date | undefined;
}

/** What was created in it. @throws BillingError invalid_request, param `to` where it is not after `from` */
export function createdIn({ from, to }: MomentRange): { createdAt?: { gte?: Date; lt?: Date } } {
  if (!from && !to) return {};
  if (from && to && from >= to) throw invalidRequest('to', 'to must be later than from.');
  return { createdAt: { ...(from && { gte: from }), ...(to && { lt: to }) } };
}
