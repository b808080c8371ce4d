import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Discount } from '../../../generated/prisma/client.ts';
import { lockMerchant } from '../../accounts/merchant/lock-merchant.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { isStorable } from '../../kernel/input/valid-text.ts';
import { type DiscountTerms, validDiscountTerms } from './discount-terms.ts';

/** Maximum discounts per merchant and environment, whether they are active or not. */
export const MAX_DISCOUNTS = 1_000;

/**
 * Creates a discount.
 *
 * @throws BillingError invalid_request, with the field as param; param `name` if there are 1,000
 *   discounts already
 */
export async function createDiscount(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  terms: DiscountTerms,
): Promise<Discount> {
  const valid = validDiscountTerms(terms);
  const { merchantId, environment } = scope;
  const planIds = await findPlans(ctx, scope, terms);
  const id = uuidv7();
  try {
    return await ctx.db.$transaction(async (tx) => {
      await lockMerchant(tx, merchantId);
      const count = await tx.discount.count({ where: { merchantId, environment } });
      if (count >= MAX_DISCOUNTS) {
        throw invalidRequest(
          'name',
          `${environment} has ${count} discounts, the maximum: change one instead.`,
        );
      }
      const changes = newFields({ ...valid, planIds: terms.planIds ?? [] });
      await recordAudit(ctx, tx, scope, { action: 'discount.created', targetId: id, changes });
      const createdAt = ctx.clock.now();
      return tx.discount.create({ data: { ...valid, id, merchantId, environment, planIds, createdAt } });
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('code', `A discount with the code ${valid.code} already exists.`);
  }
}

/** Our ids of the plans that the terms name. */
async function findPlans(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  { planIds = [], mint }: DiscountTerms,
): Promise<string[]> {
  const named = [...new Set(planIds)];
  const plans = named.every(isStorable)
    ? await db.plan.findMany({ where: { merchantId, environment, planId: { in: named } } })
    : [];
  const known = new Set(plans.map(({ planId }) => planId));
  const unknown = named.findIndex((planId) => !known.has(planId));
  if (unknown >= 0) throw invalidRequest('planIds', `Plan ${unknown + 1} of planIds does not exist.`);
  const other = plans.find((plan) => mint !== undefined && plan.mint !== mint);
  if (other) throw invalidRequest('planIds', `The plan ${other.planId} has another mint than the amount.`);
  return plans.map(({ id }) => id);
}
