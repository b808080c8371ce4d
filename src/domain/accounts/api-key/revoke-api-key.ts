import type { AppContext } from '../../../app.ts';
import { awaitStandby } from '../../../db/await-standby.ts';
import { notFound } from '../../../errors.ts';
import type { ApiKey } from '../../../generated/prisma/client.ts';
import { type KeepingContext, keepChange } from '../../../jobs/kept-changes.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/**
 * Revokes a key at once and ends its open streams. A repeated call changes nothing.
 *
 * @throws BillingError not_found, param `id`
 */
export async function revokeApiKey(
  ctx: Pick<AppContext, 'db' | 'live' | 'clock' | 'wallClock'> & KeepingContext,
  scope: ActingScope,
  { id }: { readonly id: string },
): Promise<ApiKey> {
  if (!isId(id)) throw notFound('API key', 'id');
  const { merchantId, environment } = scope;
  const at = ctx.clock.now();
  const key = await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.apiKey.updateMany({
      where: { id, merchantId, environment, revokedAt: null },
      data: { revokedAt: ctx.wallClock.now() },
    });
    if (count > 0) await recordAudit(ctx, tx, scope, { action: 'api_key.revoked', targetId: id });
    else await awaitStandby(tx);
    return tx.apiKey.findFirst({ where: { id, merchantId, environment } });
  });
  if (!key) throw notFound('API key', 'id');
  await keepChange(ctx, { kind: 'api_key.revoked', merchantId, environment, id, at });
  await ctx.live.publish('api-key.revoked', { keyId: id });
  return key;
}
