import { isDeepStrictEqual } from 'node:util';
import type { AppContext } from '../../../app.ts';
import type { PaymentLink } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { findLink } from './find-link.ts';
import { type LinkSettingsInput, validSettings } from './link-settings.ts';

export interface UpdateLinkInput extends LinkSettingsInput {
  /** Whether the link opens checkouts. Checkouts that it has opened continue. */
  readonly active?: boolean | undefined;
}

/**
 * Changes a payment link; omitted settings stay unchanged. The plan cannot change, because the link
 * may be printed somewhere.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param as in the input
 */
export async function updateLink(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  id: string,
  { active, ...settingsInput }: UpdateLinkInput,
): Promise<PaymentLink> {
  const { metadata, ...texts } = await validSettings(ctx, scope, settingsInput);
  const changed = { ...texts, ...(active !== undefined && { active }) };
  return ctx.db.$transaction(async (tx) => {
    const before = await findLink(tx, scope, id);
    const isSame = metadata === undefined || isDeepStrictEqual(metadata, before.metadata);
    const { name, successUrl, cancelUrl, allowsCodes } = before;
    const changes = {
      ...changedFields({ name, successUrl, cancelUrl, allowsCodes, active: before.active }, changed),
      // The metadata may have thousands of bytes, so only the fact that it changed is recorded.
      ...(!isSame && { metadata: { to: 'changed' } }),
    };
    if (Object.keys(changes).length === 0) return before;
    await recordAudit(ctx, tx, scope, { action: 'payment_link.updated', targetId: id, changes });
    return tx.paymentLink.update({ where: { id }, data: { ...changed, ...(metadata && { metadata }) } });
  });
}
