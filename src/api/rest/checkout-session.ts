import { z } from '@hono/zod-openapi';
import type { Config } from '../../config.ts';
import {
  merchantOf,
  type PublicSession,
  type SessionRecord,
  shownDiscount,
} from '../../domain/checkout/session/get-checkout-session.ts';
import { EXAMPLE } from './examples.ts';
import { planTerms, toPlanTerms } from './plan-body.ts';
import { isoTime } from './responses.ts';

const STATUSES = { OPEN: 'open', COMPLETED: 'completed', EXPIRED: 'expired' } as const;
const ENVIRONMENTS = { TEST: 'test', LIVE: 'live' } as const;

/** The discount that a checkout shows. */
const checkoutDiscount = z
  .object({
    name: z.string(),
    code: z.string().nullable(),
    price: z.string().openapi({
      description: 'Price of one interval with the discount, in base units of the token',
    }),
    periods: z.number().nullable().openapi({
      description: 'Number of payments with that price; null for all',
    }),
  })
  .nullable()
  .openapi({ description: 'Discount of the session; null without one' });

const shared = {
  sessionId: z.string(),
  url: z.url(),
  status: z.enum(STATUSES),
  environment: z.enum(ENVIRONMENTS),
  expiresAt: isoTime,
  merchant: z.object({
    companyName: z.string(),
    logoUrl: z.string().nullable(),
    supportEmail: z.string().nullable(),
  }),
  plan: planTerms,
  discount: checkoutDiscount,
  cancelUrl: z.string().nullable(),
  subscriptionId: z
    .string()
    .nullable()
    .openapi({ description: 'Address of the subscription; null until the session is completed' }),
};

/** The public part of a checkout session, for callers that know its id. */
export const publicSession = z
  .object({
    ...shared,
    customer: z.object({ email: z.string() }),
    allowsCodes: z.boolean().openapi({ description: 'Whether the customer may enter a code of a discount' }),
    walletConnected: z.boolean().openapi({
      description: 'Whether a wallet has requested the transactions to sign',
    }),
    redirectUrl: z.string().nullable().openapi({
      description:
        'URL to which the customer is redirected after completion; null until then, or if the merchant gave none',
    }),
  })
  .openapi('PublicCheckoutSession');

/** The complete checkout session, for the merchant. */
export const sessionRecord = z
  .object({
    ...shared,
    customer: z.object({
      email: z.string(),
      customerId: z.string().nullable(),
      walletAddress: z.string().nullable(),
    }),
    successUrl: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: isoTime,
    completedAt: isoTime.nullable(),
  })
  .openapi('CheckoutSession', { example: EXAMPLE.session });

export function toPublicSession(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  session: PublicSession,
): z.infer<typeof publicSession> {
  const {
    sessionId,
    customerEmail,
    status,
    environment,
    expiresAt,
    plan,
    discount,
    planTrialSeconds: _,
    isSettling: __,
    brandColor: ___,
    ...fields
  } = session;
  return {
    ...fields,
    sessionId,
    url: `${publicUrl}/checkout/${sessionId}`,
    status: STATUSES[status],
    environment: ENVIRONMENTS[environment],
    expiresAt: expiresAt.toISOString(),
    plan: toPlanTerms(plan),
    discount: toDiscount(discount),
    customer: { email: customerEmail },
  };
}

function toDiscount(discount: PublicSession['discount']): z.infer<typeof checkoutDiscount> {
  return discount && { ...discount, price: String(discount.price) };
}

export function toSessionRecord(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  session: SessionRecord,
): z.infer<typeof sessionRecord> {
  const { id: sessionId, customerEmail: email, customerId, walletAddress } = session;
  return {
    sessionId,
    url: `${publicUrl}/checkout/${sessionId}`,
    status: STATUSES[session.status],
    environment: ENVIRONMENTS[session.environment],
    expiresAt: session.expiresAt.toISOString(),
    merchant: merchantOf(session),
    plan: toPlanTerms({ ...session.plan, trialPeriodSeconds: session.trialSeconds }),
    discount: toDiscount(shownDiscount(session)),
    cancelUrl: session.cancelUrl,
    subscriptionId: session.subscription?.address ?? null,
    customer: { email, customerId, walletAddress },
    successUrl: session.successUrl,
    metadata: session.metadata as Record<string, unknown>,
    createdAt: session.createdAt.toISOString(),
    completedAt: session.completedAt?.toISOString() ?? null,
  };
}
