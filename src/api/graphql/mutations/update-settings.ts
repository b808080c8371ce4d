import { updateSettings } from '../../../domain/accounts/merchant/update-settings.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { Settings } from '../types/settings.ts';

const UpdateSettingsInput = builder.inputType('UpdateSettingsInput', {
  description: 'The settings to change; others stay unchanged.',
  fields: (t) => ({
    maxFailures: t.int({
      description: 'Number of consecutive failed attempts after which a subscription expires, 1 to 20.',
    }),
    retryDelaysSeconds: t.intList({
      description:
        'Seconds to wait before each retry: 1 to 20 values of 1 second to 30 days each; the last value repeats.',
    }),
    graceSeconds: t.int({
      description:
        'Seconds from the due date of a failed payment for which a subscription still gives access after its last retry, 0 to 31536000. It applies to payments that fail for the last time later.',
    }),
    redirectUrlsAllowed: t.stringList({
      description:
        'At most 50 origins (`https://shop.example`) or path prefixes (`https://shop.example/billing`), without a query. An empty list allows any URL.',
    }),
    sponsorsCustomers: t.boolean({
      description: 'Whether the service pays the network fee and deposits of customers without SOL.',
    }),
    sponsoredLamportsPerDay: t.field({
      type: 'TokenAmount',
      description:
        'Maximum lamports that the service pays for customers within 24 hours, at most 10000000000.',
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
      'Changes the settings of the environment of this request. They apply to all later failures and checkouts. Errors: `authentication_error`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { input }, context) =>
      updateSettings(context.app, actingScopeOf(context), withoutNulls(input)),
  }),
}));
