import { isOffCurveAddress } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Member, MemberRole } from '../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isUniqueViolation } from '../merchant/is-unique-violation.ts';
import { validAddress } from '../merchant/valid-text.ts';

export interface InviteMemberInput {
  readonly walletAddress: string;
  readonly role: MemberRole;
}

/**
 * A wallet that may sign in from now on.
 *
 * @throws BillingError invalid_request, param `walletAddress`: no address, one without a private key, or a member already
 */
export async function inviteMember(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  by: ActingForMerchant,
  input: InviteMemberInput,
): Promise<Member> {
  const walletAddress = validAddress('walletAddress', input.walletAddress);
  if (isOffCurveAddress(walletAddress)) {
    throw invalidRequest('walletAddress', 'walletAddress must be a wallet: a program address cannot sign.');
  }
  const { merchantId } = by;
  const { role } = input;
  try {
    return await ctx.db.$transaction(async (tx) => {
      const member = await tx.member.create({
        data: { merchantId, walletAddress, role, createdAt: ctx.clock.now() },
      });
      const changes = newFields({ role });
      await recordAudit(ctx, tx, by, { action: 'member.invited', targetId: walletAddress, changes });
      return member;
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('walletAddress', 'walletAddress is a member already.');
  }
}
