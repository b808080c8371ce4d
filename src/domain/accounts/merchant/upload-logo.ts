import { createHash } from 'node:crypto';
import type { AppContext } from '../../../app.ts';
import type { Merchant } from '../../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { readLogo } from './logo-image.ts';

/**
 * Stores an image of at most 50 kB as the merchant's logo, and sets the logo URL of the profile.
 * The image is in the database, so that all instances and backups have it. Its URL contains the
 * hash of the image, so that browsers can cache it permanently.
 *
 * @param png base64
 * @throws BillingError invalid_request, param `png`
 */
export async function uploadLogo(
  ctx: Pick<AppContext, 'db' | 'clock' | 'config'>,
  scope: ActingForMerchant,
  png: string,
): Promise<Merchant> {
  const picture = { png: readLogo(png) };
  const hash = createHash('sha256').update(picture.png).digest('hex');
  const { merchantId } = scope;
  const data = { logoUrl: `${ctx.config.publicUrl}/logos/${hash}.png` };
  return ctx.db.$transaction(async (tx) => {
    const before = await tx.merchant.findUniqueOrThrow({ where: { id: merchantId } });
    const changes = changedFields({ ...before }, data);
    if (Object.keys(changes).length === 0) return before;
    await recordAudit(ctx, tx, scope, { action: 'merchant.updated', targetId: merchantId, changes });
    await tx.merchantLogo.upsert({
      where: { merchantId },
      create: { merchantId, hash, ...picture },
      update: { hash, ...picture },
    });
    return tx.merchant.update({ where: { id: merchantId }, data });
  });
}
