import { isOffCurveAddress } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Member, MemberRole } from '../../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';

export interface InviteMemberInput {
  readonly walletAddress: string;
  readonly role: MemberRole;
}

/**
 * Adds a wallet to the team.
 *
 * @throws BillingError invalid_request, param `walletAddress`: an invalid address, one without a
 *   private key, or already a member
 */
export async function inviteMember(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingForMerchant,
  input: InviteMemberInput,
): Promise<Member> {
  const walletAddress = validAddress('walletAddress', input.walletAddress);
  if (isOffCurveAddress(walletAddress)) {
    throw invalidRequest('walletAddress', 'walletAddress must be a wallet: a program address cannot sign.');
  }
  const { merchantId } = scope;
  const { role } = input;
  try {
    return await ctx.db.$transaction(async (tx) => {
      const member = await tx.member.create({
        data: { merchantId, walletAddress, role, createdAt: ctx.clock.now() },
      });
      const changes = newFields({ role });
      await recordAudit(ctx, tx, scope, { action: 'member.invited', targetId: walletAddress, changes });
      return member;
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('walletAddress', 'walletAddress is already a member.');
  }
}
