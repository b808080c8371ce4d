import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Merchant } from '../../generated/prisma/client.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isUniqueViolation } from './is-unique-violation.ts';
import { validProfile } from './profile.ts';
import { validAddress } from './valid-text.ts';

export interface CreateMerchantInput {
  /** What customers see at the checkout. */
  readonly companyName: string;
  /** Owns the plans on chain and receives the money; of one merchant only. Its first owner in the dashboard too. */
  readonly walletAddress: string;
  readonly logoUrl?: string | undefined;
  readonly supportEmail?: string | undefined;
}

/** @throws BillingError invalid_request, param as in the input */
export async function createMerchant(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  { companyName, walletAddress, logoUrl, supportEmail }: CreateMerchantInput,
): Promise<Merchant> {
  const profile = { companyName, ...validProfile({ companyName, logoUrl, supportEmail }) };
  const wallet = validAddress('walletAddress', walletAddress);
  const createdAt = ctx.clock.now();
  try {
    return await ctx.db.$transaction(async (tx) => {
      const merchant = await tx.merchant.create({
        data: {
          ...profile,
          walletAddress: wallet,
          createdAt,
          members: { create: { walletAddress: wallet, role: 'OWNER', createdAt } },
        },
      });
      const { id } = merchant;
      const changes = newFields({ ...profile, walletAddress: wallet });
      await recordAudit(ctx, tx, { merchantId: id }, { action: 'merchant.created', targetId: id, changes });
      return merchant;
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('walletAddress', 'walletAddress belongs to another merchant.');
  }
}
