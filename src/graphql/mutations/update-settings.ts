import { updateSettings } from '../../domain/merchant/update-settings.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';
import { Settings } from '../types/settings.ts';

const UpdateSettingsInput = builder.inputType('UpdateSettingsInput', {
  description: 'What is to be set; what is not given stays as it is.',
  fields: (t) => ({
    maxFailures: t.int({ description: '1 to 20.' }),
    retryDelaysSeconds: t.intList({ description: '1 to 20 waits of 1 second to 30 days.' }),
    redirectUrlsAllowed: t.stringList({
      description:
        'At most 50 origins (`https://shop.example`) or beginnings of a path (`https://shop.example/billing`), without query; empty allows any URL.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateSettings: t.field({
    type: Settings,
    args: { input: t.arg({ type: UpdateSettingsInput, required: true, description: 'What is to be set.' }) },
    description:
      "Changes settings of the key's environment; failures and checkouts from now on go by them. Errors: `authentication_error`; `invalid_request`, param as in the input.",
    resolve: (_root, { input }, context) => updateSettings(context.app, actingScopeOf(context), given(input)),
  }),
}));
