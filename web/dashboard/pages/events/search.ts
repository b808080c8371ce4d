import { anyText, day, paging, searchParams } from '../../../shared/api/search-params.ts';

/** The filters of the list, as parameters of the URL. */
export const eventsSearch = searchParams({
  type: anyText,
  subscription: anyText,
  from: day,
  to: day,
  ...paging,
});
