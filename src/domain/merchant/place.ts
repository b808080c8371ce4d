/** Where a row stands in a list by creation. A cursor names a row; the page after it begins beyond its place. */
export interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

/** The columns of a place. */
export const PLACE = { createdAt: true, id: true } as const;

/** The order of every list: what came first is last. */
export const NEWEST_FIRST: { createdAt?: 'desc'; id?: 'desc' }[] = [{ createdAt: 'desc' }, { id: 'desc' }];

/**
 * What is created before a place, or after it. The first condition is what an index in this order is entered by: the
 * cost of a page does not grow with how deep it is in the list.
 */
export function beyond({ createdAt, id }: Place, towards: 'older' | 'newer') {
  return towards === 'older'
    ? { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] }
    : { createdAt: { gte: createdAt }, OR: [{ createdAt: { gt: createdAt } }, { id: { gt: id } }] };
}
