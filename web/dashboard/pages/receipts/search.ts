import { anyText, day, paging, searchParams } from '../../../shared/api/search-params.ts';

/** The filters of the list, as parameters of the URL. */
export const receiptsSearch = searchParams({
  number: anyText,
  customer: anyText,
  subscription: anyText,
  from: day,
  to: day,
  ...paging,
});
