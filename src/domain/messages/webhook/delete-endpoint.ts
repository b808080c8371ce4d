import type { AppContext } from '../../../app.ts';
import type { WebhookEndpoint } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { cancelUnwanted } from './delivery/cancel-unwanted.ts';
import { lockLines } from './delivery/delivery-lines.ts';
import { findEndpoint } from './find-endpoint.ts';

/**
 * Removes an endpoint permanently: cancels its pending deliveries and deletes its secrets. Its
 * deliveries can be read until they are purged.
 *
 * @throws BillingError not_found, param `id`
 */
export async function deleteEndpoint(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange', [id]);
    await findEndpoint(tx, scope, id, 'id');
    await recordAudit(ctx, tx, scope, { action: 'endpoint.deleted', targetId: id });
    return tx.webhookEndpoint.update({
      where: { id },
      data: {
        status: 'DELETED',
        disabledReason: null,
        disabledAt: null,
        encryptedSecret: new Uint8Array(),
        encryptedPreviousSecret: null,
        previousSecretUntil: null,
      },
    });
  });
  await cancelUnwanted(ctx, id);
  return endpoint;
}
