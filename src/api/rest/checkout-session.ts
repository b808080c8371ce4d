import { z } from '@hono/zod-openapi';
import type { Config } from '../../config.ts';
import {
  merchantOf,
  type PublicSession,
  type SessionRecord,
} from '../../domain/checkout/session/get-checkout-session.ts';
import { EXAMPLE } from './examples.ts';
import { planTerms, toPlanTerms } from './plan-body.ts';
import { isoTime } from './responses.ts';

const STATUSES = { OPEN: 'open', COMPLETED: 'completed', EXPIRED: 'expired' } as const;
const ENVIRONMENTS = { TEST: 'test', LIVE: 'live' } as const;

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
    customer: { email: customerEmail },
  };
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
    cancelUrl: session.cancelUrl,
    subscriptionId: session.subscription?.address ?? null,
    customer: { email, customerId, walletAddress },
    successUrl: session.successUrl,
    metadata: session.metadata as Record<string, unknown>,
    createdAt: session.createdAt.toISOString(),
    completedAt: session.completedAt?.toISOString() ?? null,
  };
}
