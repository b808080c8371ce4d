import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import type { WebhookEndpoint } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { findEndpoint } from './find-endpoint.ts';

interface SecretOverlap {
  /** Id of the endpoint. */
  readonly id: string;
  /**
   * The end of the overlap as the caller knows it; undefined for any. After another rotation the
   * previous secret is another one, which servers may still use.
   */
  readonly previousSecretUntil?: Date | undefined;
}

/**
 * Ends the time after a rotation in which webhooks are also signed with the previous secret, and
 * deletes that secret. Changes nothing if they are signed with one secret.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `previousSecretUntil`
 */
export async function endSecretOverlap(
  ctx: Pick<AppContext, 'db' | 'clock' | 'wallClock'>,
  scope: ActingScope,
  { id, previousSecretUntil: known }: SecretOverlap,
): Promise<WebhookEndpoint> {
  await findEndpoint(ctx.db, scope, id, 'id');
  return ctx.db.$transaction(async (tx) => {
    // Locked, so that a rotation at the same time comes before or after.
    await tx.$executeRaw`SELECT FROM "WebhookEndpoint" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`;
    const endpoint = await findEndpoint(tx, scope, id, 'id');
    const { previousSecretUntil: until } = endpoint;
    if (until === null || until <= ctx.wallClock.now()) return endpoint;
    if (known && known.getTime() !== until.getTime()) {
      throw invalidRequest(
        'previousSecretUntil',
        `The secret was rotated again: its previous secret is now valid until ${until.toISOString()}. Read the endpoint again.`,
      );
    }
    await recordAudit(ctx, tx, scope, { action: 'endpoint.secret_overlap_ended', targetId: id });
    return tx.webhookEndpoint.update({
      where: { id },
      data: { encryptedPreviousSecret: null, previousSecretUntil: null },
    });
  });
}
