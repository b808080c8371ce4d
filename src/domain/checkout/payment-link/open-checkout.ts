import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../../app.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { type CreatedSession, createCheckoutSession } from '../session/create-checkout-session.ts';
import type { LinkRecord } from './public-link.ts';

/**
 * Opens a checkout session for a visitor of a link. Each call opens a new one: the session of
 * another visitor with the same email must not be returned, because its id gives access to it.
 *
 * @throws BillingError invalid_request, param `customerEmail`, or as in `createCheckoutSession`
 */
export async function openCheckout(
  ctx: AppContext,
  { id, merchantId, environment, plan, successUrl, cancelUrl, allowsCodes, metadata }: LinkRecord,
  customerEmail: string,
): Promise<CreatedSession> {
  const session = await createCheckoutSession(
    ctx,
    { merchantId, environment },
    {
      planId: plan.planId,
      customerEmail,
      successUrl: successUrl ?? undefined,
      cancelUrl: cancelUrl ?? undefined,
      allowsCodes,
      metadata,
      idempotencyKey: randomUUID(),
    },
  );
  // One statement: callers without a key share few connections, and a transaction would hold one
  // while it waits for the row of a popular link.
  await ctx.db.$executeRaw(Prisma.sql`
    WITH opened AS (
      UPDATE "CheckoutSession" SET "paymentLinkId" = ${id}::uuid WHERE "id" = ${session.sessionId})
    UPDATE "PaymentLink" SET "openedCount" = "openedCount" + 1 WHERE "id" = ${id}::uuid`);
  return session;
}
