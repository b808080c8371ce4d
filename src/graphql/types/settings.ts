import { type MerchantSettings, settingsOf } from '../../domain/merchant/settings.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const Settings = builder.objectRef<MerchantSettings>('Settings').implement({
  description: 'What the merchant sets for one environment.',
  fields: (t) => ({
    maxFailures: t.exposeInt('maxFailures', {
      description: 'Failures of one payment in a row after which the subscription expires; the default is 3.',
    }),
    retryDelaysSeconds: t.expose('retryDelaysSeconds', {
      type: ['Int'],
      description:
        'Seconds to wait after the first, second, ... failure; the last one repeats. The default is 60, 300, 1800.',
    }),
    redirectUrlsAllowed: t.expose('redirectUrlsAllowed', {
      type: ['String'],
      description:
        'Where `successUrl` and `cancelUrl` of a checkout may lead: to these places and below; empty allows any URL.',
    }),
  }),
});

builder.queryFields((t) => ({
  settings: t.field({
    type: Settings,
    description: "The settings of the key's environment. Errors: `authentication_error`.",
    resolve: (_root, _args, context) => settingsOf(context.app.db, scopeOf(context)),
  }),
}));
