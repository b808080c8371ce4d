import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { CheckoutSessionStatus, Prisma } from '../../../generated/prisma/client.ts';
import { LANDING_SECONDS } from '../../billing/schedule/period.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isStorable } from '../../kernel/input/valid-text.ts';
import { atSessionPrice } from './at-session-price.ts';
import { atFirstPrice } from './first-price.ts';
import { redirectUrl } from './redirect-url.ts';
import { statusAt } from './session-status.ts';
import { trialOf } from './trial-left.ts';

const relations = {
  include: { plan: true, merchant: true, subscription: true, discount: true },
} as const;

/** A checkout session with its plan, merchant and subscription, for the merchant. */
export type SessionRecord = Prisma.CheckoutSessionGetPayload<typeof relations> & {
  /** Seconds of trial for its customer, if the wallet is known. */
  readonly trialSeconds: number;
};

/** The discount of a session, for the customer. */
export interface ShownDiscount {
  readonly name: string;
  /** Null unless the customer entered it. */
  readonly code: string | null;
  /** The price of one interval with the discount, in base units. */
  readonly price: bigint;
  /** The number of payments with that price; null for all. */
  readonly periods: number | null;
}

/** The public part of a session, for the page and the app. */
export interface PublicSession {
  readonly sessionId: string;
  readonly environment: SessionRecord['environment'];
  readonly status: CheckoutSessionStatus;
  readonly expiresAt: Date;
  readonly merchant: {
    readonly companyName: string;
    readonly logoUrl: string | null;
    /** Email address for customers who need help. */
    readonly supportEmail: string | null;
  };
  /** The merchant's colour, as `#rrggbb`. */
  readonly brandColor: string | null;
  readonly plan: {
    readonly planId: string;
    readonly name: string;
    readonly description: string | null;
    /** The price of the session. */
    readonly amount: bigint;
    readonly maxAmount: bigint;
    readonly intervalSeconds: number;
    /** The trial of this customer: 0 if the wallet is known and has had its trial. */
    readonly trialPeriodSeconds: number;
    readonly mint: string;
    readonly tokenProgram: string;
  };
  /** Null without a discount. */
  readonly discount: ShownDiscount | null;
  /** Whether the customer may enter a code of a discount. */
  readonly allowsCodes: boolean;
  /** The trial of the plan for new customers. */
  readonly planTrialSeconds: number;
  readonly customerEmail: string;
  readonly cancelUrl: string | null;
  /** Redirect URL after completion, if the merchant gave one. */
  readonly redirectUrl: string | null;
  /** The subscription's address; null until the session is completed. */
  readonly subscriptionId: string | null;
  /** Whether a wallet has requested the transactions to sign. */
  readonly walletConnected: boolean;
  /** Whether the session has expired, and a transaction signed in time may still complete it. */
  readonly isSettling: boolean;
}

/** An expired session whose transaction was in time usually completes within this time. */
const SETTLING_MS = 2 * Number(LANDING_SECONDS) * 1000;

/** The session with its current status. @throws BillingError not_found, param `sessionId` */
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

/**
 * The public part of a session. The id gives access, without a key.
 *
 * @throws BillingError not_found, param `sessionId`
 */
export async function getPublicSession(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  sessionId: string,
): Promise<PublicSession> {
  const session = await findSession(ctx, sessionId);
  if (!session) throw notFound('checkout session', 'sessionId');
  const { environment, status, expiresAt, plan, customerEmail, cancelUrl, subscription } = session;
  const walletConnected = session.walletAddress !== null;
  const isLate = ctx.clock.now().getTime() >= expiresAt.getTime() + SETTLING_MS;
  return {
    sessionId,
    environment,
    status,
    expiresAt,
    merchant: merchantOf(session),
    brandColor: session.merchant.brandColor,
    plan: {
      planId: plan.planId,
      name: plan.name,
      description: plan.description,
      amount: plan.amount,
      maxAmount: plan.maxAmount,
      intervalSeconds: plan.intervalSeconds,
      trialPeriodSeconds: session.trialSeconds,
      mint: plan.mint,
      tokenProgram: plan.tokenProgram,
    },
    discount: shownDiscount(session),
    allowsCodes: session.allowsCodes,
    planTrialSeconds: plan.trialPeriodSeconds,
    customerEmail,
    cancelUrl,
    redirectUrl: status === 'COMPLETED' ? redirectUrl(session) : null,
    subscriptionId: subscription?.address ?? null,
    walletConnected,
    isSettling: status === 'EXPIRED' && walletConnected && !isLate,
  };
}

/** The discount of a session with its price; null without one. */
export function shownDiscount(session: SessionRecord): ShownDiscount | null {
  const { discount, byCode } = session;
  if (!discount) return null;
  const { name, code, periods } = discount;
  return { name, code: byCode ? code : null, price: atFirstPrice(session).plan.amount, periods };
}

/** The merchant's details that customers see. */
export function merchantOf({ merchant }: SessionRecord): PublicSession['merchant'] {
  const { companyName, logoUrl, supportEmail } = merchant;
  return { companyName, logoUrl, supportEmail };
}

/** A checkout session with its current status; undefined if it does not exist. */
export async function findSession(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  sessionId: string,
): Promise<SessionRecord | undefined> {
  const session = isStorable(sessionId)
    ? await ctx.db.checkoutSession.findUnique({ where: { id: sessionId }, ...relations })
    : null;
  if (!session) return undefined;
  const status = statusAt(session, ctx.clock.now());
  return { ...atSessionPrice(session), status, trialSeconds: await trialOf(ctx, session) };
}
