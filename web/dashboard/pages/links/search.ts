import { paging, searchParams } from '../../../shared/api/search-params.ts';

export const linksSearch = searchParams(paging);
