import type { AppContext } from '../../../app.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Member, Merchant } from '../../../generated/prisma/client.ts';
import type { Actor, RequestOrigin } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import { validProfile } from './profile.ts';

export interface CreateMerchantInput {
  /** Name shown at the checkout. */
  readonly companyName: string;
  /**
   * Owns the plans on chain and receives the payments; unique to one merchant. Also the first owner
   * in the dashboard.
   */
  readonly walletAddress: string;
  readonly logoUrl?: string | undefined;
  readonly supportEmail?: string | undefined;
}

/** A merchant and its first owner. */
export interface CreatedMerchant {
  readonly merchant: Merchant;
  readonly owner: Member;
}

/**
 * Creates a merchant with its first owner.
 *
 * @param origin the request in which the owner signs up; undefined if the operator creates the
 *   merchant
 * @throws BillingError invalid_request, param as in the input
 */
export async function createMerchant(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  { companyName, walletAddress, logoUrl, supportEmail }: CreateMerchantInput,
  origin?: RequestOrigin,
): Promise<CreatedMerchant> {
  const profile = { companyName, ...validProfile({ companyName, logoUrl, supportEmail }) };
  const wallet = validAddress('walletAddress', walletAddress);
  const createdAt = ctx.clock.now();
  try {
    return await ctx.db.$transaction(async (tx) => {
      const merchant = await tx.merchant.create({ data: { ...profile, walletAddress: wallet, createdAt } });
      const { id: merchantId } = merchant;
      const owner = await tx.member.create({
        data: { merchantId, walletAddress: wallet, role: 'OWNER', createdAt },
      });
      const changes = newFields({ ...profile, walletAddress: wallet });
      const actor: Actor | undefined = origin && {
        ...origin,
        kind: 'MEMBER',
        id: owner.id,
        walletAddress: wallet,
      };
      const scope = { merchantId, actor };
      await recordAudit(ctx, tx, scope, { action: 'merchant.created', targetId: merchantId, changes });
      return { merchant, owner };
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('walletAddress', 'walletAddress belongs to another merchant.');
  }
}
