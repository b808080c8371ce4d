import { redirectUrl } from '../../../domain/checkout/session/redirect-url.ts';
import { statusAt } from '../../../domain/checkout/session/session-status.ts';
import { trialOf } from '../../../domain/checkout/session/trial-left.ts';
import { builder } from '../builder.ts';
import { findCheckoutSession } from '../loaders/find-checkout-session.ts';

export const CheckoutSessionStatus = builder.enumType('CheckoutSessionStatus', {
  description: 'Status of a checkout session.',
  values: {
    OPEN: { description: 'The customer can complete the checkout.' },
    COMPLETED: { description: 'The subscription exists.' },
    EXPIRED: { description: 'The customer did not complete the checkout within 30 minutes.' },
  } as const,
});

export const CheckoutCustomer = builder.objectRef<{ readonly email: string }>('CheckoutCustomer').implement({
  description: 'The customer of a checkout session.',
  requires: null,
  fields: (t) => ({
    email: t.exposeString('email', { description: 'Email address that the merchant gave.' }),
  }),
});

/**
 * The id of a session gives access to the fields that the hosted page shows. All others need a key
 * of the merchant and environment that created the session.
 */
export const CheckoutSession = builder.prismaObject('CheckoutSession', {
  description: 'A checkout in which one customer subscribes to one plan. It is open for 30 minutes.',
  select: { id: true, merchantId: true, environment: true, expiresAt: true, status: true },
  requires: null,
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Id of the session. Keep it secret: anyone who has it can read and complete the session.',
    }),
    url: t.string({
      description: 'URL of the checkout page that dues hosts.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/checkout/${id}`,
    }),
    status: t.field({
      type: CheckoutSessionStatus,
      description: 'Status of the session.',
      resolve: (session, _args, { app }) => statusAt(session, app.clock.now()),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the session expires unless it is completed.',
    }),
    plan: t.relation('plan', { description: 'The plan to subscribe to.' }),
    amount: t.field({
      type: 'TokenAmount',
      select: { amount: true, plan: { select: { amount: true } } },
      description:
        "Price of one interval, in base units of the plan's mint. Later prices of the plan do not change it.",
      resolve: ({ amount, plan }) => amount ?? plan.amount,
    }),
    merchant: t.relation('merchant', { description: 'The merchant that sells the plan.' }),
    trialPeriodSeconds: t.int({
      select: { walletAddress: true, completedAt: true, plan: true, subscription: true },
      description:
        "Seconds before the first payment. Until the customer's wallet is known, this is the trial of the plan; after that it is 0 if the wallet has already had the trial.",
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
        'URL to which the customer is redirected after completion; null until then, or if the merchant gave none.',
      resolve: (session) => (session.status === 'COMPLETED' ? redirectUrl(session) : null),
    }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        "URL for the customer after completion, without the added `session_id`; null if none was given. Errors: `authentication_error` without the merchant's key.",
    }),
    cancelUrl: t.exposeString('cancelUrl', {
      nullable: true,
      description: 'URL for a customer who cancels the checkout; null if none was given.',
    }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        "The merchant's id of the customer; null if none was given. Errors: `authentication_error` without the merchant's key.",
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        "JSON object that the merchant gave. Errors: `authentication_error` without the merchant's key.",
    }),
    walletAddress: t.exposeString('walletAddress', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        "Wallet that last requested transactions to sign, base58; null until one did. Errors: `authentication_error` without the merchant's key.",
    }),
    subscription: t.relation('subscription', {
      nullable: true,
      requires: 'READ',
      authScopes: (session) => ({ owner: session }),
      description:
        "The resulting subscription; null until the session is completed. Errors: `authentication_error` without the merchant's key.",
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the session was completed; null until then.',
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
      "One checkout session. The fields that the checkout page shows need no key, because the id gives access to them. The other fields need the merchant's key. Errors: `not_found`, param `id`.",
    resolve: (query, _root, { id }, context) => findCheckoutSession(context, id, query),
  }),
}));
