import { updateSettings } from '../../../domain/merchant/update-settings.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { Settings } from '../types/settings.ts';
import { withoutNulls } from '../without-nulls.ts';

const UpdateSettingsInput = builder.inputType('UpdateSettingsInput', {
  description: 'The settings to change; others stay unchanged.',
  fields: (t) => ({
    maxFailures: t.int({ description: '1 to 20.' }),
    retryDelaysSeconds: t.intList({ description: '1 to 20 delays of 1 second to 30 days each.' }),
    redirectUrlsAllowed: t.stringList({
      description:
        'At most 50 origins (`https://shop.example`) or path prefixes (`https://shop.example/billing`), without query; empty allows any URL.',
    }),
    sponsorsCustomers: t.boolean({
      description: 'Whether the service pays network fee and deposits for customers without SOL.',
    }),
    sponsoredLamportsPerDay: t.field({
      type: 'TokenAmount',
      description: 'Maximum lamports of that within 24 hours, at most 10000000000.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateSettings: t.field({
    type: Settings,
    args: {
      input: t.arg({ type: UpdateSettingsInput, required: true, description: 'The settings to change.' }),
    },
    description:
      "Changes the settings of the key's environment for all later failures and checkouts. Errors: `authentication_error`; `invalid_request`, param as in the input.",
    resolve: (_root, { input }, context) =>
      updateSettings(context.app, actingScopeOf(context), withoutNulls(input)),
  }),
}));
