import type { AppContext } from '../../../app.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import type { Price } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/**
 * Retires a price: no new checkout gets it. Subscriptions that have it keep it. Repeated calls change
 * nothing.
 *
 * @throws BillingError not_found, or invalid_request if it is the plan's current price; param `priceId`
 */
export async function retirePrice(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  priceId: string,
): Promise<Price> {
  const { merchantId, environment } = scope;
  return ctx.db.$transaction(async (tx) => {
    const price = isId(priceId)
      ? await tx.price.findFirst({
          where: { id: priceId, plan: { merchantId, environment } },
          include: { plan: { include: { prices: { orderBy: { version: 'desc' }, take: 1 } } } },
        })
      : null;
    if (!price) throw notFound('price', 'priceId');
    const { plan, ...row } = price;
    if (row.retiredAt) return row;
    if (plan.prices[0]?.id === priceId) {
      throw invalidRequest('priceId', 'New subscriptions get this price: create the next price first.');
    }
    const retiredAt = ctx.clock.now();
    const { count } = await tx.price.updateMany({
      where: { id: priceId, retiredAt: null },
      data: { retiredAt },
    });
    if (count === 0) return tx.price.findUniqueOrThrow({ where: { id: priceId } });
    const changes = newFields({ version: row.version, amount: row.amount });
    await recordAudit(ctx, tx, scope, { action: 'price.retired', targetId: plan.planId, changes });
    return { ...row, retiredAt };
  });
}
