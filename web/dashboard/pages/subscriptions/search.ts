import { anyText, day, oneOf, paging, searchParams } from '../../../shared/api/search-params.ts';

export const STATUSES = ['ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED'] as const;
/** Statuses in which payments are collected. */
export const COLLECTED = ['ACTIVE', 'PAST_DUE'] as const;
export const FAILURES = [
  'INSUFFICIENT_FUNDS',
  'APPROVAL_REVOKED',
  'ACCOUNT_FROZEN',
  'ACCOUNT_CLOSED',
] as const;

/** The filters of the list, as parameters of the URL. */
export const subscriptionsSearch = searchParams({
  status: oneOf(STATUSES),
  plan: anyText,
  search: anyText,
  failure: oneOf(FAILURES),
  renewal: oneOf(['ENDS', 'RENEWS']),
  from: day,
  to: day,
  order: oneOf(['NEXT_PAYMENT']),
  ...paging,
});
