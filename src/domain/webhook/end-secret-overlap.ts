import type { AppContext } from '../../app.ts';
import type { WebhookEndpoint } from '../../generated/prisma/client.ts';
import type { ActingScope } from '../audit/actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findEndpoint } from './find-endpoint.ts';

/**
 * Ends the time after a rotation in which webhooks are also signed with the previous secret, and
 * deletes that secret. Changes nothing if they are signed with one secret.
 *
 * @throws BillingError not_found, param `id`
 */
export async function endSecretOverlap(
  ctx: Pick<AppContext, 'db' | 'clock' | 'wallClock'>,
  scope: ActingScope,
  id: string,
): Promise<WebhookEndpoint> {
  await findEndpoint(ctx.db, scope, id, 'id');
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: { id, previousSecretUntil: { gt: ctx.wallClock.now() } },
      data: { encryptedPreviousSecret: null, previousSecretUntil: null },
    });
    if (count > 0) {
      await recordAudit(ctx, tx, scope, { action: 'endpoint.secret_overlap_ended', targetId: id });
    }
    return findEndpoint(tx, scope, id, 'id');
  });
}
