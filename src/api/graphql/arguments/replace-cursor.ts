import { type ListPosition, rowsBeyond } from '../../../domain/kernel/paging/list-position.ts';
import { invalidRequest } from '../../../errors.ts';

/**
 * The arguments that Pothos passes to a connection's resolver. A negative `take` takes rows from
 * the end of the list.
 */
interface ConnectionQuery {
  readonly cursor?: object;
  readonly take: number;
  readonly skip: number;
}

/**
 * Replaces the cursor of a connection's query with a condition on the cursor's row. With Prisma's
 * own cursor the database would read all rows before it. `find` loads the sort key of that row if
 * the caller owns it.
 *
 * @throws BillingError invalid_request, param `after` or `before`, if there is no such row
 */
export function replaceCursor<Q extends ConnectionQuery>(
  query: Q,
  find: (id: string) => Promise<ListPosition | null>,
) {
  return replaceCursorIn(query, find, rowsBeyond);
}

/**
 * The same as `replaceCursor`, for a list in another order. `further` returns the condition for the
 * rows after a position (`older`) or before it (`newer`).
 */
export async function replaceCursorIn<Q extends ConnectionQuery, P, C extends object>(
  { cursor, skip: _, ...page }: Q,
  find: (id: string) => Promise<P | null>,
  further: (position: P, towards: 'older' | 'newer') => C,
) {
  if (!cursor) return { page, condition: {}, cursor: undefined };
  const [param, towards] = page.take < 0 ? (['before', 'newer'] as const) : (['after', 'older'] as const);
  // Pothos names the id after its column.
  const [id] = Object.values(cursor) as [string];
  const position = await find(id);
  if (!position) throw invalidRequest(param, `${param} must be a cursor from an earlier response.`);
  return { page, condition: further(position, towards), cursor: position };
}
