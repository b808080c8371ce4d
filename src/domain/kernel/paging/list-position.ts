/**
 * The position of a row in a list by creation time. A cursor names a row, and the next page begins
 * after its position.
 */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Selects the columns of a position. */
export const LIST_POSITION = { createdAt: true, id: true } as const;

/** The order of every list. */
export const NEWEST_FIRST: { createdAt?: 'desc'; id?: 'desc' }[] = [{ createdAt: 'desc' }, { id: 'desc' }];

/**
 * The condition for rows created before or after a position. Its first part uses the index of this
 * order, so the cost of a page does not depend on its depth.
 */
export function rowsBeyond({ createdAt, id }: ListPosition, towards: 'older' | 'newer') {
  return towards === 'older'
    ? { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] }
    : { createdAt: { gte: createdAt }, OR: [{ createdAt: { gt: createdAt } }, { id: { gt: id } }] };
}
