import { anyText, oneOf, searchParams } from '../../../shared/api/search-params.ts';

/** Lengths of the period in days; the API answers up to 366 days, and the period before is read too. */
export const RANGES = [7, 30, 90] as const;

export const overviewSearch = searchParams({ range: oneOf(RANGES), plan: anyText });
