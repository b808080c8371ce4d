import { type CreatedLink, createPortalSession, LINK_MINUTES } from '../../../domain/portal/portal-link.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';

const PortalFlow = builder.enumType('PortalFlow', {
  description: 'What a customer can do in a session of the portal.',
  values: {
    ALL: { description: 'Everything.' },
    CANCEL: { description: 'Cancel, or take a cancellation back.' },
    REPAIR_APPROVAL: { description: 'Renew an approval that was revoked or replaced.' },
    TOP_UP: { description: 'Add money to the wallet that pays.' },
  } as const,
});

const PortalSessionRef = builder.objectRef<CreatedLink>('PortalSession').implement({
  description: 'A way into the customer portal.',
  requires: null,
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'Redirect the customer here. It opens the portal once, and is a secret: send it to nobody else.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: `When the URL stops to work: ${LINK_MINUTES} minutes after it was created.`,
    }),
  }),
});

builder.mutationFields((t) => ({
  createPortalSession: t.field({
    type: PortalSessionRef,
    args: {
      customer: t.arg.id({ required: true, description: 'Id of the customer: `Customer.id`.' }),
      flow: t.arg({ type: PortalFlow, description: 'The one task of the session; default `ALL`.' }),
      returnUrl: t.arg.string({
        description:
          'Where the portal leads back to; one of `Settings.redirectUrlsAllowed`, if there are any.',
      }),
    },
    description:
      'Creates a way into the customer portal for a customer whom you have signed in. The session shows the subscriptions of that customer with you in this environment, and nothing else. Errors: `authentication_error`; `not_found`, param `customer`; `invalid_request`, param `returnUrl`.',
    resolve: (_root, { customer, flow, returnUrl }, context) =>
      createPortalSession(context.app, actingScopeOf(context), {
        customer,
        flow: flow ?? undefined,
        returnUrl: returnUrl ?? undefined,
      }),
  }),
}));
