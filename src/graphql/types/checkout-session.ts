import { redirectUrl } from '../../domain/checkout/redirect-url.ts';
import { statusAt } from '../../domain/checkout/session-status.ts';
import { builder } from '../builder.ts';
import { findSession } from '../find-session.ts';

export const CheckoutSessionStatus = builder.enumType('CheckoutSessionStatus', {
  description: 'Where a checkout stands.',
  values: {
    OPEN: { description: 'Waits for the customer.' },
    COMPLETED: { description: 'The subscription exists.' },
    EXPIRED: { description: 'Its 30 minutes passed.' },
  } as const,
});

export const CheckoutCustomer = builder.objectRef<{ readonly email: string }>('CheckoutCustomer').implement({
  description: 'Who checks out.',
  fields: (t) => ({
    email: t.exposeString('email', { description: "Address from the merchant's system." }),
  }),
});

/**
 * Knowing the id opens what the hosted page shows, and no more: whatever else there is takes the key of the merchant and
 * environment that made the session.
 */
export const CheckoutSession = builder.prismaObject('CheckoutSession', {
  description: 'The 30-minute record that takes a customer from the merchant to a subscription on chain.',
  select: { id: true, merchantId: true, environment: true, expiresAt: true, status: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A capability: who knows it may see and complete the session.' }),
    url: t.string({
      description: 'The hosted checkout page.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/checkout/${id}`,
    }),
    status: t.field({
      type: CheckoutSessionStatus,
      description: 'Where it stands now.',
      resolve: (session, _args, { app }) => statusAt(session, app.clock.now()),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it expires if it is not completed.',
    }),
    plan: t.relation('plan', { description: 'What is subscribed to.' }),
    merchant: t.relation('merchant', { description: 'Who sells it.' }),
    customer: t.field({
      type: CheckoutCustomer,
      select: { customerEmail: true },
      description: 'Who checks out.',
      resolve: ({ customerEmail }) => ({ email: customerEmail }),
    }),
    redirectUrl: t.string({
      nullable: true,
      select: { successUrl: true },
      description:
        'Where the customer goes on to, once completed; null before, or where the merchant named no place.',
      resolve: (session) => (session.status === 'COMPLETED' ? redirectUrl(session) : null),
    }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      authScopes: (session) => ({ owner: session }),
      description:
        'Where the customer goes afterwards, without the `session_id` that is added; null where none was given. Errors: `authentication_error` without the key.',
    }),
    cancelUrl: t.exposeString('cancelUrl', {
      nullable: true,
      description: 'Where a customer who gives up goes; null where none was given.',
    }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      authScopes: (session) => ({ owner: session }),
      description: "The merchant's own id of the customer. Errors: `authentication_error` without its key.",
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      authScopes: (session) => ({ owner: session }),
      description: 'An object, as the merchant gave it. Errors: `authentication_error` without its key.',
    }),
    walletAddress: t.exposeString('walletAddress', {
      nullable: true,
      authScopes: (session) => ({ owner: session }),
      description:
        'The wallet that asked for transactions to sign, base58; null before. Errors: `authentication_error` without the key.',
    }),
    subscription: t.relation('subscription', {
      nullable: true,
      authScopes: (session) => ({ owner: session }),
      description:
        'What came of it; null until it is completed. Errors: `authentication_error` without the key.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was completed; null until then.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

builder.queryFields((t) => ({
  checkoutSession: t.prismaField({
    type: CheckoutSession,
    nullable: true,
    requires: null,
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    description:
      'One checkout session. Needs no key: the id is the permission to see what the hosted page shows; the other fields take the key. Errors: `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => findSession(context, id, query),
  }),
}));
