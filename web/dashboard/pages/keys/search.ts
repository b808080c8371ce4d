import { paging, searchParams } from '../../../shared/api/search-params.ts';

export const keysSearch = searchParams(paging);
