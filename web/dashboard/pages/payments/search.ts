import { anyText, day, oneOf, paging, searchParams } from '../../../shared/api/search-params.ts';
import { FAILURES } from '../subscriptions/search.ts';

export const PAYMENT_STATUSES = ['DUE', 'SUCCEEDED', 'FAILED', 'MISSED', 'WAIVED'] as const;

/** The filters of the list, as parameters of the URL. */
export const paymentsSearch = searchParams({
  status: oneOf(PAYMENT_STATUSES),
  plan: anyText,
  subscription: anyText,
  customer: anyText,
  failure: oneOf(FAILURES),
  from: day,
  to: day,
  ...paging,
});
