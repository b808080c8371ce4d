import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { inTransaction } from '../../jobs/in-transaction.ts';
import type { Scope } from '../kernel/access/scope.ts';
import { writePortalLinkMail } from '../messages/mail/write-mails.ts';
import { makeLink } from './portal-link.ts';

/**
 * Maximum mails for one request. Customers of LIVE come first, then the newest ones. Anyone can
 * create customers in TEST without cost, so they must not displace those of LIVE.
 */
export const MAX_MAILS = 5;
/** Maximum customers with one email that are considered. */
const MAX_CUSTOMERS = 1_000;

interface Addressee {
  readonly merchantId: string;
  readonly environment: Environment;
  /** The stored address of the customer. */
  readonly email: string;
}

/**
 * Mails portal links to the customers with this email address: one mail for each merchant and
 * environment. It is sent to the stored address, because the entered one may only look the same.
 */
export async function requestPortalLinks(ctx: AppContext, email: string): Promise<void> {
  const addressees = await ctx.db.$queryRaw<Addressee[]>`
    SELECT "merchantId", "environment", max("email") AS "email" FROM (
      SELECT "merchantId", "environment", "email", "createdAt" FROM "Customer"
      WHERE lower("email") = lower(${email}) ORDER BY "createdAt" DESC LIMIT ${MAX_CUSTOMERS}) AS "newest"
    GROUP BY 1, 2 ORDER BY "environment" DESC, max("createdAt") DESC LIMIT ${MAX_MAILS}`;
  // One transaction for each mail: it locks the row with the merchant's daily limit, and other
  // transactions lock the rows of several merchants in another order.
  for (const { merchantId, environment, email } of addressees) {
    const scope = { merchantId, environment };
    await mailLink(ctx, scope, email).catch((err: unknown) =>
      // The links of the other merchants are still mailed.
      ctx.log.error({ err, ...scope }, 'portal link not mailed'),
    );
  }
}

async function mailLink(ctx: AppContext, scope: Scope, email: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const link = await makeLink(
      ctx,
      tx,
      { kind: 'email', ...scope, email },
      { flow: 'ALL', returnUrl: null },
    );
    await writePortalLinkMail(ctx, tx, { scope, email, ...link });
  });
}
