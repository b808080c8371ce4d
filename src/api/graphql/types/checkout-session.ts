import { redirectUrl } from '../../../domain/checkout/redirect-url.ts';
import { statusAt } from '../../../domain/checkout/session-status.ts';
import { trialOf } from '../../../domain/checkout/trial-left.ts';
import { builder } from '../builder.ts';
import { findCheckoutSession } from '../find-checkout-session.ts';

export const CheckoutSessionStatus = builder.enumType('CheckoutSessionStatus', {
  description: 'Status of a checkout session.',
  values: {
    OPEN: { description: 'The customer can complete it.' },
    COMPLETED: { description: 'The subscription exists.' },
    EXPIRED: { description: 'Its 30 minutes passed.' },
  } as const,
});

export const CheckoutCustomer = builder.objectRef<{ readonly email: string }>('CheckoutCustomer').implement({
  description: 'The customer of a checkout session.',
  requires: null,
  fields: (t) => ({
    email: t.exposeString('email', { description: "Email address in the merchant's system." }),
  }),
});

/**
 * The id of a session gives access to what the hosted page shows. All other fields need a key of
 * the merchant and environment that created the session.
 */
export const CheckoutSession = builder.prismaObject('CheckoutSession', {
  description: 'A checkout by one customer of one plan, open for 30 minutes.',
  select: { id: true, merchantId: true, environment: true, expiresAt: true, status: true },
  requires: null,
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'A capability: with the id alone a client can read and complete the session.',
    }),
    url: t.string({
      description: 'URL of the hosted checkout page.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/checkout/${id}`,
    }),
    status: t.field({
      type: CheckoutSessionStatus,
      description: 'Current status.',
      resolve: (session, _args, { app }) => statusAt(session, app.clock.now()),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the session expires unless it is completed.',
    }),
    plan: t.relation('plan', { description: 'The plan to subscribe to.' }),
    merchant: t.relation('merchant', { description: 'The merchant that sells the plan.' }),
    trialPeriodSeconds: t.int({
      select: { walletAddress: true, completedAt: true, plan: true, subscription: true },
      description:
        'Seconds before the first payment. Until the wallet is known this is the trial of the plan; it is 0 for a wallet that has already had its trial.',
      resolve: (session, _args, { app }) => trialOf(app, session),
    }),
    customer: t.field({
      type: CheckoutCustomer,
      select: { customerEmail: true },
      description: 'The customer of a checkout session.',
      resolve: ({ customerEmail }) => ({ email: customerEmail }),
    }),
    redirectUrl: t.string({
      nullable: true,
      select: { successUrl: true },
      description:
        'URL to which the customer is redirected after completion; null before, or if the merchant gave none.',
      resolve: (session) => (session.status === 'COMPLETED' ? redirectUrl(session) : null),
    }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        'URL for the customer after completion, without the added `session_id`; null if none was given. Errors: `authentication_error` without the key.',
    }),
    cancelUrl: t.exposeString('cancelUrl', {
      nullable: true,
      description: 'URL for a customer who cancels the checkout; null if none was given.',
    }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description: "The merchant's id of the customer. Errors: `authentication_error` without its key.",
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description: 'The object that the merchant gave. Errors: `authentication_error` without its key.',
    }),
    walletAddress: t.exposeString('walletAddress', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        'The wallet that last requested transactions to sign, base58; null before. Errors: `authentication_error` without the key.',
    }),
    subscription: t.relation('subscription', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        'The resulting subscription; null until the session is completed. Errors: `authentication_error` without the key.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the session was completed; null before.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the session was created.' }),
  }),
});

builder.queryFields((t) => ({
  checkoutSession: t.prismaField({
    type: CheckoutSession,
    nullable: true,
    requires: null,
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    description:
      'One checkout session. Needs no key for what the hosted page shows, because the id is the permission; the other fields need the key. Errors: `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => findCheckoutSession(context, id, query),
  }),
}));
