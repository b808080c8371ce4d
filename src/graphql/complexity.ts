import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
import { DEFAULT_LIMIT } from '../domain/merchant/page.ts';
import { BillingError } from '../errors.ts';

/** Fields of an answer at most, as far as its document tells: a page counts as many times as it has rows. */
const MAX_COMPLEXITY = 25_000;
/** Rows of a list that is not asked for by page. */
const LIST_ROWS = 10;

export const complexity = {
  limit: { complexity: MAX_COMPLEXITY },
  complexityError: (_kind: unknown, { complexity: asked }: { complexity: number }) =>
    new BillingError(
      'invalid_request',
      `This asks for too much at once: ${asked} fields, and ${MAX_COMPLEXITY} are allowed. Ask for fewer rows, or for less of each.`,
      'query',
    ),
};

type Args = Readonly<Partial<Record<'first' | 'last' | 'limit', number | null>>>;

/** What a field costs: one, and for each row of it what is asked of a row. */
export function complexityOf<Types extends SchemaTypes>({
  args,
  name,
  type,
}: PothosOutputFieldConfig<Types>) {
  if ('first' in args || 'limit' in args) {
    return ({ first, last, limit }: Args) => ({
      field: 1,
      multiplier: first ?? last ?? limit ?? DEFAULT_LIMIT,
    });
  }
  // The rows of a page are counted where the page is asked for.
  const isOfPage = name === 'edges' || name === 'data';
  return { field: 1, multiplier: type.kind === 'List' && !isOfPage ? LIST_ROWS : 1 };
}
