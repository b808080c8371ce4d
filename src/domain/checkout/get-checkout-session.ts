import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import type { CheckoutSessionStatus, Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../merchant/scope.ts';
import { isStorable } from '../merchant/valid-text.ts';
import { redirectUrl } from './redirect-url.ts';
import { statusAt } from './session-status.ts';

const whole = { include: { plan: true, merchant: true, subscription: true } } as const;

/** The whole record, for its merchant. */
export type SessionRecord = Prisma.CheckoutSessionGetPayload<typeof whole>;

/** What whoever knows the session's id may see: the page and the app. */
export interface PublicSession {
  readonly sessionId: string;
  readonly environment: SessionRecord['environment'];
  readonly status: CheckoutSessionStatus;
  readonly expiresAt: Date;
  readonly merchant: {
    readonly companyName: string;
    readonly logoUrl: string | null;
    /** Where customers ask for help. */
    readonly supportEmail: string | null;
  };
  readonly plan: {
    readonly planId: string;
    readonly name: string;
    readonly description: string | null;
    readonly amount: bigint;
    readonly intervalSeconds: number;
    readonly trialPeriodSeconds: number;
    readonly mint: string;
  };
  readonly customerEmail: string;
  readonly cancelUrl: string | null;
  /** Where to go on to, once completed and where the merchant named a place. */
  readonly redirectUrl: string | null;
  /** The subscription's address, once completed. */
  readonly subscriptionId: string | null;
}

/** The session as it stands now. @throws BillingError not_found, param `sessionId` */
export async function getCheckoutSession(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  { merchantId, environment }: Scope,
  sessionId: string,
): Promise<SessionRecord> {
  const session = await findSession(ctx, sessionId);
  if (session?.merchantId !== merchantId || session.environment !== environment) {
    throw notFound('checkout session', 'sessionId');
  }
  return session;
}

/** Without a key: the id is the permission. @throws BillingError not_found, param `sessionId` */
export async function getPublicSession(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  sessionId: string,
): Promise<PublicSession> {
  const session = await findSession(ctx, sessionId);
  if (!session) throw notFound('checkout session', 'sessionId');
  const { environment, status, expiresAt, plan, customerEmail, cancelUrl, subscription } = session;
  return {
    sessionId,
    environment,
    status,
    expiresAt,
    merchant: merchantOf(session),
    plan: {
      planId: plan.planId,
      name: plan.name,
      description: plan.description,
      amount: plan.amount,
      intervalSeconds: plan.intervalSeconds,
      trialPeriodSeconds: plan.trialPeriodSeconds,
      mint: plan.mint,
    },
    customerEmail,
    cancelUrl,
    redirectUrl: status === 'COMPLETED' ? redirectUrl(session) : null,
    subscriptionId: subscription?.address ?? null,
  };
}

/** What a customer is shown of who sells. */
export function merchantOf({ merchant }: SessionRecord): PublicSession['merchant'] {
  const { companyName, logoUrl, supportEmail } = merchant;
  return { companyName, logoUrl, supportEmail };
}

/** `undefined` where there is none. Its status is the one of now. */
export async function findSession(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  sessionId: string,
): Promise<SessionRecord | undefined> {
  const session = isStorable(sessionId)
    ? await db.checkoutSession.findUnique({ where: { id: sessionId }, ...whole })
    : null;
  return session ? { ...session, status: statusAt(session, clock.now()) } : undefined;
}
