import { invalidRequest } from '../../../errors.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** Maximum that a count on request returns. */
export const MAX_TOTAL = 100_000;
/** Maximum page number, which limits the offset of a query. */
const MAX_PAGE = 1_000_000;

export interface PageInput {
  /** From 1; default 1. */
  readonly page?: number | undefined;
  /** 1 to 100; default 20. */
  readonly limit?: number | undefined;
}

/** One page of a list, with what is needed to request other pages. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly pages: number;
  };
}

/** Rows to skip and to take. */
export interface Range {
  readonly skip: number;
  readonly take: number;
}

/**
 * Reads one page of a list whose rows and total are read together.
 *
 * @throws BillingError invalid_request, param `page` or `limit`
 */
export async function readCountedPage<T>(
  input: PageInput,
  read: (range: Range) => Promise<{ readonly data: readonly T[]; readonly total: number }>,
): Promise<Page<T>> {
  const { page, limit, range } = validRange(input);
  const { data, total } = await read(range);
  return { data, pagination: { page, limit, total, pages: Math.ceil(total / limit) } };
}

/** A page whose total is counted only on request. */
export interface UncountedPage<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    /** Counts all rows. Further calls return the same count. */
    total(): Promise<number>;
  };
}

/**
 * Reads one page of a list that is slow to count.
 *
 * @throws BillingError invalid_request, param `page` or `limit`
 */
export async function readUncountedPage<T>(
  input: PageInput,
  find: (range: Range) => Promise<T[]>,
  count: () => Promise<number>,
): Promise<UncountedPage<T>> {
  const { page, limit, range } = validRange(input);
  const data = await find(range);
  let counted: Promise<number> | undefined;
  const total = () => {
    counted ??= count();
    return counted;
  };
  return { data, pagination: { page, limit, total } };
}

function validRange(input: PageInput) {
  const page = wholeNumber('page', input.page ?? 1, MAX_PAGE);
  const limit = wholeNumber('limit', input.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  return { page, limit, range: { skip: (page - 1) * limit, take: limit } };
}

/** @throws BillingError unless the value is a whole number from 1 to `max` */
export function wholeNumber(param: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalidRequest(param, `${param} must be a whole number from 1 to ${max}.`);
}
