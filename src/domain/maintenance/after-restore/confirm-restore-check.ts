import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { RestoreCheck } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';

/**
 * Stores that the merchant has compared its data with the database of a timeline, and of those
 * before it. A repeated call changes nothing.
 *
 * @throws BillingError not_found, param `number`
 */
export async function confirmRestoreCheck(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  { number }: { readonly number: number },
): Promise<RestoreCheck> {
  const { merchantId, environment } = scope;
  const check = { merchantId, environment, number };
  return ctx.db.$transaction(async (tx) => {
    const timeline = await tx.databaseTimeline.findUnique({
      where: { environment_number: { environment, number } },
    });
    // In the first timeline the database has never come back.
    if (!timeline || number === 1) throw notFound('Restore', 'number');
    const data = [{ ...check, checkedAt: ctx.clock.now() }];
    const { count } = await tx.restoreCheck.createMany({ data, skipDuplicates: true });
    if (count > 0) await recordAudit(ctx, tx, scope, { action: 'restore.checked', targetId: `${number}` });
    return tx.restoreCheck.findUniqueOrThrow({ where: { merchantId_environment_number: check } });
  });
}
