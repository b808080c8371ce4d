import { paging, searchParams } from '../../../shared/api/search-params.ts';

/** The position of the list, as it stands in the URL. */
export const teamSearch = searchParams(paging);
