import { anyText, oneOf, searchParams } from '../../../shared/api/search-params.ts';

/** Lengths of the period in days. Twice as many are read, of the 366 days that the API allows. */
export const RANGES = [7, 30, 90] as const;

export const overviewSearch = searchParams({ range: oneOf(RANGES), plan: anyText });
