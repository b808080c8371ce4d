import { updateMailSettings } from '../../../domain/messages/mail/update-mail-settings.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { MailSettings, MailTemplate } from '../types/mail-settings.ts';

const UpdateMailSettingsInput = builder.inputType('UpdateMailSettingsInput', {
  description: 'The settings to change; others stay unchanged.',
  fields: (t) => ({
    templates: t.field({
      type: [MailTemplate],
      description:
        'All mails to switch on; the others are switched off. PORTAL_LINK is always on and must not be listed.',
    }),
    merchantEmail: t.string({
      description: 'An email address for the mails to the merchant; null removes it.',
    }),
    reminderDays: t.int({
      description: 'Days before a renewal at which customers are reminded of it, 1 to 30.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateMailSettings: t.field({
    type: MailSettings,
    requires: ['READ', 'WRITE'],
    args: {
      input: t.arg({
        type: UpdateMailSettingsInput,
        required: true,
        description: 'The settings to change.',
      }),
    },
    description:
      'Changes the mail settings of the environment of this request. They apply to later events only. Errors: `authentication_error`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { input }, context) =>
      updateMailSettings(context.app, actingScopeOf(context), {
        templates: input.templates ?? undefined,
        merchantEmail: input.merchantEmail,
        reminderDays: input.reminderDays ?? undefined,
      }),
  }),
}));
