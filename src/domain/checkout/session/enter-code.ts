import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import type { Discount } from '../../../generated/prisma/client.ts';
import { isCode } from '../../billing/discount/discount-terms.ts';
import { whyNotOffered } from '../../billing/discount/is-offered.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isUsedUpBy } from '../discount/customer-limit.ts';
import { lockRedemption } from '../discount/lock-redemption.ts';
import { releaseOf } from '../discount/release-discounts.ts';
import { SETTLING_MS } from '../discount/reserve-discount.ts';
import type { SessionRecord } from './get-checkout-session.ts';
import { requireOpenSession } from './require-open-session.ts';

/** Maximum codes that are tried in one session. */
const MAX_TRIES = 10;

/**
 * Gives a session the discount of a code, which replaces an earlier one. A code that is refused changes
 * nothing but the number of tries. All refused codes have one answer, so that codes cannot be guessed.
 *
 * @throws BillingError not_found, session_expired or plan_inactive as for an open session;
 *   invalid_request or rate_limit_exceeded (10 tries), param `code`; also invalid_request with it while a
 *   transaction that was handed out with the earlier discount may still land
 */
export async function enterCode(ctx: AppContext, sessionId: string, code: string): Promise<void> {
  const session = await requireOpenSession(ctx, sessionId);
  if (!session.allowsCodes) throw invalidRequest('code', 'This checkout takes no codes.');
  const { count } = await ctx.db.checkoutSession.updateMany({
    where: { id: session.id, codeTries: { lt: MAX_TRIES } },
    data: { codeTries: { increment: 1 } },
  });
  if (count === 0) {
    throw new BillingError(
      'rate_limit_exceeded',
      `A checkout takes at most ${MAX_TRIES} tries of codes.`,
      'code',
    );
  }
  const discount = await findByCode(ctx, session, code.trim());
  const isRefused =
    !discount ||
    whyNotOffered(discount, session.plan, ctx.clock.now()) !== undefined ||
    (await isUsedUpBy(ctx.db, discount, session, session.walletAddress));
  if (isRefused) throw invalidRequest('code', 'This code cannot be used for this checkout.');
  await showDiscount(ctx, session, discount.id);
}

/**
 * Removes the discount of a session, whoever gave it. The subscription then has the full price.
 *
 * @throws BillingError not_found, session_expired, plan_inactive or invalid_request as for an open session;
 *   invalid_request, param `code`, while a transaction that was handed out with the discount may still land
 */
export async function removeCode(ctx: AppContext, sessionId: string): Promise<void> {
  await showDiscount(ctx, await requireOpenSession(ctx, sessionId), null);
}

async function showDiscount(
  ctx: AppContext,
  { id, discountId: before }: SessionRecord,
  discountId: string | null,
): Promise<void> {
  if (before === discountId) return;
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.checkoutSession.updateMany({
      where: { id, status: 'OPEN' },
      data: { discountId, byCode: discountId !== null },
    });
    if (count === 0) return;
    await requireNotSigning(tx, id, ctx.clock.now());
    await releaseOf(tx, id);
  });
  await ctx.live.publish('checkout-session.updated', { sessionId: id });
}

/** Refuses to change the price while a wallet may have signed for it. The caller holds the lock of the session. */
async function requireNotSigning(tx: DbTransaction, sessionId: string, now: Date): Promise<void> {
  const held = await lockRedemption(tx, sessionId);
  const until = (held?.handedOutAt?.getTime() ?? 0) + SETTLING_MS;
  if (held?.status !== 'RESERVED' || now.getTime() >= until) return;
  const seconds = Math.ceil((until - now.getTime()) / 1000);
  throw invalidRequest(
    'code',
    `A wallet may be signing with this discount: it can be changed in ${seconds} seconds.`,
  );
}

async function findByCode(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  code: string,
): Promise<Discount | null> {
  if (!isCode(code)) return null;
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Discount" WHERE "merchantId" = ${merchantId}::uuid
      AND "environment" = ${environment}::"Environment" AND lower("code") = lower(${code})`;
  return found ? db.discount.findUnique({ where: { id: found.id } }) : null;
}
