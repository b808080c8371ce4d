import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { PaymentLink } from '../../../generated/prisma/client.ts';
import { lockMerchant } from '../../accounts/merchant/lock-merchant.ts';
import { getPlan } from '../../catalog/plan/get-plan.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { type LinkSettingsInput, validSettings } from './link-settings.ts';

/** Maximum links per merchant and environment, whether they are on or off. */
export const MAX_LINKS = 500;

export interface CreateLinkInput extends LinkSettingsInput {
  /** The merchant's id of a published plan. */
  readonly planId: string;
}

/**
 * Creates a payment link for a plan, which is on at once.
 *
 * @throws BillingError not_found, param `planId`; invalid_request, param as in the input, or
 *   `planId` for a draft or if there are 500 links already
 */
export async function createLink(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  { planId, ...settingsInput }: CreateLinkInput,
): Promise<PaymentLink> {
  const plan = await getPlan(ctx, scope, planId);
  if (plan.status === 'DRAFT') {
    throw invalidRequest('planId', 'The plan is a draft: publish it first (publishPlanTransaction).');
  }
  const settings = { name: plan.name, ...(await validSettings(ctx, scope, settingsInput)) };
  const { merchantId, environment } = scope;
  // Random, so that it cannot be guessed from another one.
  const id = randomUUID();
  return ctx.db.$transaction(async (tx) => {
    await assertRoom(tx, scope);
    const { metadata: _, ...details } = settings;
    const changes = newFields({ planId, ...details });
    await recordAudit(ctx, tx, scope, { action: 'payment_link.created', targetId: id, changes });
    const createdAt = ctx.clock.now();
    return tx.paymentLink.create({
      data: { id, merchantId, environment, planId: plan.id, ...settings, createdAt },
    });
  });
}

async function assertRoom(tx: DbTransaction, { merchantId, environment }: Scope): Promise<void> {
  await lockMerchant(tx, merchantId);
  const count = await tx.paymentLink.count({ where: { merchantId, environment } });
  if (count < MAX_LINKS) return;
  throw invalidRequest(
    'planId',
    `${environment} has ${count} payment links, and at most ${MAX_LINKS} are allowed: change one of them instead.`,
  );
}
