import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import type { Member } from '../../../generated/prisma/client.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import { lockMerchant } from '../merchant/lock-merchant.ts';

/**
 * Locks the whole team until the transaction ends and returns one member. Without the lock, two
 * owners who demote each other at the same time could leave the merchant without an owner.
 *
 * @throws BillingError not_found, param `id`
 */
export async function lockMember(tx: DbTransaction, merchantId: string, id: string): Promise<Member> {
  if (!isId(id)) throw notFound('member', 'id');
  await lockMerchant(tx, merchantId);
  const member = await tx.member.findFirst({ where: { id, merchantId } });
  if (!member) throw notFound('member', 'id');
  return member;
}

/**
 * Refuses to remove or demote the last owner. Must be called with the team locked.
 *
 * @throws BillingError invalid_request, param `id`, if there is no other owner
 */
export async function refuseLastOwner(tx: DbTransaction, { id, merchantId }: Member): Promise<void> {
  const others = await tx.member.count({ where: { merchantId, role: 'OWNER', NOT: { id } } });
  if (others === 0) throw invalidRequest('id', 'This is the last owner: make another member an owner first.');
}
