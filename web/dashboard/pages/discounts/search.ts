import { oneOf, paging, searchParams } from '../../../shared/api/search-params.ts';

/** The filters of the list, as parameters of the URL. */
export const discountsSearch = searchParams({ status: oneOf(['ON', 'OFF']), ...paging });
