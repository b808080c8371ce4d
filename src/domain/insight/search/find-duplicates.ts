import type { Db } from '../../../db/db.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { type SearchHit, sessionHit } from './search-hit.ts';

/** The checkout sessions for which a further wallet has subscribed. */
export async function findDuplicates(
  db: Db,
  { merchantId, environment }: Scope,
  where: Prisma.DuplicateSubscriptionWhereInput,
  max: number,
): Promise<SearchHit[]> {
  const duplicates = await db.duplicateSubscription.findMany({
    where: { AND: [{ merchantId, environment }, where] },
    take: max,
    select: { sessionId: true },
  });
  if (duplicates.length === 0) return [];
  const sessions = await db.checkoutSession.findMany({
    where: { id: { in: duplicates.map(({ sessionId }) => sessionId) }, merchantId, environment },
    include: { plan: { select: { name: true } } },
  });
  return sessions.map(sessionHit);
}
