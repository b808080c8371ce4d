import { anyText, day, oneOf, paging, searchParams } from '../../../shared/api/search-params.ts';

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** The status of an HTTP response, as text because the filter is a text field. */
const responseStatus = (value: unknown) => {
  const text = anyText(value);
  return text !== undefined && /^[1-5]\d\d$/.test(text) ? text : undefined;
};

/** The filters of deliveries, as parameters of the URL. */
export const deliveriesSearch = searchParams({
  status: oneOf(DELIVERY_STATUSES),
  type: anyText,
  code: responseStatus,
  subscription: anyText,
  from: day,
  to: day,
  ...paging,
});
