import { type ListPosition, rowsBeyond } from '../../kernel/paging/list-position.ts';

/** The order of an export: new rows come at its end. */
const OLDEST_FIRST: { createdAt?: 'asc'; id?: 'asc' }[] = [{ createdAt: 'asc' }, { id: 'asc' }];

/** The query for matching rows after a position, oldest first. */
export function pageAfter<Where extends object>(
  where: Where,
  position: ListPosition | undefined,
  take: number,
) {
  const conditions = position ? [where, rowsBeyond(position, 'newer')] : [where];
  return { where: { AND: conditions }, orderBy: OLDEST_FIRST, take };
}
