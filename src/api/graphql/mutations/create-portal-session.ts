import { type CreatedLink, createPortalSession, LINK_MINUTES } from '../../../domain/portal/portal-link.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';

const PortalFlow = builder.enumType('PortalFlow', {
  description: 'What a customer can do in the customer portal.',
  values: {
    ALL: { description: 'Everything that the portal offers.' },
    CANCEL: { description: 'Cancel a subscription, or undo a cancellation.' },
    REPAIR_APPROVAL: { description: 'Renew an approval that was revoked or replaced.' },
    TOP_UP: { description: 'Add money to the wallet that pays.' },
  } as const,
});

const PortalSessionRef = builder.objectRef<CreatedLink>('PortalSession').implement({
  description: 'Access to the customer portal for one customer.',
  requires: null,
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'URL to which you redirect the customer. It opens the portal once. Keep it secret: anyone who has it can open the portal.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: `When the URL stops working: ${LINK_MINUTES} minutes after it was created.`,
    }),
  }),
});

builder.mutationFields((t) => ({
  createPortalSession: t.field({
    type: PortalSessionRef,
    requires: ['READ', 'WRITE'],
    args: {
      customer: t.arg.id({ required: true, description: 'Id of the customer: `Customer.id`.' }),
      flow: t.arg({
        type: PortalFlow,
        description: 'What the customer can do in the portal; default `ALL`.',
      }),
      returnUrl: t.arg.string({
        description:
          'URL to which the portal links back. It must match `Settings.redirectUrlsAllowed` unless that list is empty.',
      }),
    },
    description:
      'Creates a URL that opens the customer portal, for a customer who is signed in on your site. The portal shows only the subscriptions of this customer with you, in this environment. Errors: `authentication_error`; `not_found`, param `customer`; `invalid_request`, param `returnUrl`.',
    resolve: (_root, { customer, flow, returnUrl }, context) =>
      createPortalSession(context.app, actingScopeOf(context), {
        customer,
        flow: flow ?? undefined,
        returnUrl: returnUrl ?? undefined,
      }),
  }),
}));
