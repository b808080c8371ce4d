import { beyond, type Place } from '../domain/merchant/place.ts';
import { invalidRequest } from '../errors.ts';

/** What Pothos asks of a connection's resolver: the page is `take` rows of the list, from its end where that is negative. */
interface ConnectionQuery {
  readonly cursor?: object;
  readonly take: number;
  readonly skip: number;
}

/**
 * The rest of a connection's query, the row that its cursor names and the condition that it becomes. Prisma's own cursors make the database walk
 * through all that comes before them. `find` reads the place of the cursor's row, if it is the caller's.
 *
 * @throws BillingError invalid_request, param `after` or `before`, where there is no such row
 */
export async function seek<Q extends ConnectionQuery>(
  { cursor, skip: _, ...page }: Q,
  find: (id: string) => Promise<Place | null>,
) {
  if (!cursor) return { page, condition: {}, cursor: undefined };
  const [param, towards] = page.take < 0 ? (['before', 'newer'] as const) : (['after', 'older'] as const);
  const place = await find((cursor as { id: string }).id);
  if (!place) throw invalidRequest(param, `${param} must be a cursor of an earlier answer.`);
  return { page, condition: beyond(place, towards), cursor: place };
}
