import type { Db } from '../../../db/db.ts';
import type { Member, Merchant } from '../../../generated/prisma/client.ts';

/** The memberships of a wallet, oldest first. */
export async function membershipsOf(
  db: Pick<Db, 'member'>,
  walletAddress: string,
): Promise<(Member & { merchant: Merchant })[]> {
  return db.member.findMany({
    where: { walletAddress },
    include: { merchant: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}
