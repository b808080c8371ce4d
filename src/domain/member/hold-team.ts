import type { DbTransaction } from '../../db.ts';
import { invalidRequest, notFound } from '../../errors.ts';
import { type Member, Prisma } from '../../generated/prisma/client.ts';
import { isId } from '../merchant/valid-text.ts';

/**
 * One of a merchant's members, with the whole team held until the transaction ends: of two owners who demote each other
 * at once, the second finds itself the last one.
 *
 * @throws BillingError not_found, param `id`
 */
export async function holdMember(tx: DbTransaction, merchantId: string, id: string): Promise<Member> {
  if (!isId(id)) throw notFound('member', 'id');
  await tx.$queryRaw(Prisma.sql`SELECT 1 FROM "Merchant" WHERE "id" = ${merchantId}::uuid FOR NO KEY UPDATE`);
  const member = await tx.member.findFirst({ where: { id, merchantId } });
  if (!member) throw notFound('member', 'id');
  return member;
}

/** The team is held. @throws BillingError invalid_request, param `id`, where nobody else owns the merchant */
export async function refuseLastOwner(tx: DbTransaction, { id, merchantId }: Member): Promise<void> {
  const others = await tx.member.count({ where: { merchantId, role: 'OWNER', NOT: { id } } });
  if (others === 0) throw invalidRequest('id', 'This is the last owner: make somebody else an owner first.');
}
