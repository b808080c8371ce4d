import type { AppContext } from '../../../app.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { getOnboarding, type Onboarding } from './onboarding.ts';

/** Closes a merchant's list of first steps for all its members. A repeated call changes nothing. */
export async function dismissOnboarding(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  scope: ActingForMerchant,
): Promise<Onboarding> {
  const { merchantId: id } = scope;
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.merchant.updateMany({
      where: { id, onboardingDismissedAt: null },
      data: { onboardingDismissedAt: ctx.clock.now() },
    });
    if (count > 0) await recordAudit(ctx, tx, scope, { action: 'onboarding.dismissed', targetId: id });
  });
  return getOnboarding(ctx, id);
}
