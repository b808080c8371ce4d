import { type MerchantSettings, settingsOf } from '../../../domain/accounts/merchant/settings.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const Settings = builder.objectRef<MerchantSettings>('Settings').implement({
  description: 'Settings of a merchant in one environment.',
  fields: (t) => ({
    maxFailures: t.exposeInt('maxFailures', {
      description:
        'Number of consecutive failed attempts of one payment after which the subscription expires; default 3.',
    }),
    retryDelaysSeconds: t.expose('retryDelaysSeconds', {
      type: ['Int'],
      description:
        'Seconds to wait before the next attempt after the first failure, the second failure and so on; the last value repeats. Default 60, 300, 1800.',
    }),
    graceSeconds: t.exposeInt('graceSeconds', {
      description:
        'Seconds from the due date of a failed payment for which a subscription still gives access after its last retry; default 0. A plan may have its own.',
    }),
    redirectUrlsAllowed: t.expose('redirectUrlsAllowed', {
      type: ['String'],
      description:
        'URL prefixes that are allowed for the `successUrl` and `cancelUrl` of a checkout and the `returnUrl` of the portal. An empty list allows any URL.',
    }),
    sponsorsCustomers: t.exposeBoolean('sponsorsCustomers', {
      description:
        'Whether the service pays the network fee and deposits of customers without SOL, if its operator allows that; default false.',
    }),
    sponsoredLamportsPerDay: t.expose('sponsoredLamportsPerDay', {
      type: 'TokenAmount',
      description:
        'Maximum lamports that the service pays for customers within 24 hours; default 50000000. The operator may allow less.',
    }),
  }),
});

builder.queryFields((t) => ({
  settings: t.field({
    type: Settings,
    description: 'Settings of the environment of this request. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => settingsOf(context.app.db, scopeOf(context)),
  }),
}));
