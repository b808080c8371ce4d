import { anyText, oneOf, searchParams } from '../../../shared/api/search-params.ts';

/** Lengths of the period in days. The API allows at most 366. */
export const RANGES = [7, 30, 90] as const;

export const overviewSearch = searchParams({ range: oneOf(RANGES), plan: anyText });
