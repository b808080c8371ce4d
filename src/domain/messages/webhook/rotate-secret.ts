import type { AppContext } from '../../../app.ts';
import { encryptSecret, generateWebhookSecret } from '../../../secrets.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

/** Webhooks are signed with both secrets for this time. */
const BOTH_VALID_MS = 24 * 3_600_000;

/**
 * Gives an endpoint a new secret. For 24 hours every webhook is signed with the old and the new
 * one. A second rotation in that time ends the oldest secret at once.
 *
 * @throws BillingError not_found, param `id`
 */
export async function rotateSecret(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock'>,
  scope: ActingScope,
  id: string,
): Promise<EndpointWithSecret> {
  await findEndpoint(ctx.db, scope, id, 'id');
  const secret = generateWebhookSecret();
  const endpoint = await ctx.db.$transaction(async (tx) => {
    // Locked, so that the second of two concurrent rotations reads the secret of the first.
    await tx.$executeRaw`SELECT FROM "WebhookEndpoint" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`;
    const { encryptedSecret } = await findEndpoint(tx, scope, id, 'id');
    await recordAudit(ctx, tx, scope, { action: 'endpoint.secret_rotated', targetId: id });
    return tx.webhookEndpoint.update({
      where: { id },
      data: {
        encryptedSecret: encryptSecret(ctx.config.secretKey, secret),
        encryptedPreviousSecret: encryptedSecret,
        previousSecretUntil: new Date(ctx.wallClock.now().getTime() + BOTH_VALID_MS),
      },
    });
  });
  return { endpoint, secret };
}
