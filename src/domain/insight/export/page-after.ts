import { type Place, rowsBeyond } from '../../kernel/paging/place.ts';

/** The order of an export: new rows come at its end. */
const OLDEST_FIRST: { createdAt?: 'asc'; id?: 'asc' }[] = [{ createdAt: 'asc' }, { id: 'asc' }];

/** The query for matching rows after a place, oldest first. */
export function pageAfter<Where extends object>(where: Where, place: Place | undefined, take: number) {
  const conditions = place ? [where, rowsBeyond(place, 'newer')] : [where];
  return { where: { AND: conditions }, orderBy: OLDEST_FIRST, take };
}
