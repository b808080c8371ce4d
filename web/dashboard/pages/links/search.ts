import { anyText, oneOf, paging, searchParams } from '../../../shared/api/search-params.ts';

/** The filters of the list, as parameters of the URL. */
export const linksSearch = searchParams({ plan: anyText, status: oneOf(['ON', 'OFF']), ...paging });
