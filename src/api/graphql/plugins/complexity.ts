import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
import { DEFAULT_LIMIT } from '../../../domain/kernel/paging/numbered-page.ts';
import { BillingError } from '../../../errors.ts';

/**
 * Maximum number of fields in a response, estimated from the document: the fields of a page count
 * once per row.
 */
const MAX_COMPLEXITY = 25_000;
/** Assumed length of a list without paging arguments. */
const LIST_ROWS = 10;

export const complexity = {
  limit: { complexity: MAX_COMPLEXITY },
  complexityError: (_kind: unknown, { complexity: fields }: { complexity: number }) =>
    new BillingError(
      'invalid_request',
      `The operation is too complex: it asks for ${fields} fields, and at most ${MAX_COMPLEXITY} are allowed. Ask for fewer rows or fewer fields.`,
      'query',
    ),
};

type Args = Readonly<Partial<Record<'first' | 'last' | 'limit', number | null>>>;

/** The cost of a field: one, multiplied by its number of rows. */
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
  // The rows of a page are counted at the field that takes the page size.
  const isPageList = name === 'edges' || name === 'data';
  return { field: 1, multiplier: type.kind === 'List' && !isPageList ? LIST_ROWS : 1 };
}
