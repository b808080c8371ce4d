import { paging, searchParams } from '../../../shared/api/search-params.ts';

/** The position in the list, as a parameter of the URL. */
export const teamSearch = searchParams(paging);
