import { useState } from 'react';
import type { MailTemplate } from '../../../generated/graphql.ts';
import { environment } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { labels } from '../../../shared/text/labels.ts';
import { mails as text } from '../../../shared/text/mails.ts';
import { settings } from '../../../shared/text/settings.ts';
import { FormCard } from './form-card.tsx';
import { MailPreviewDialog } from './mail-preview-dialog.tsx';

const UPDATE_MAIL_SETTINGS = graphql(/* GraphQL */ `
  mutation UpdateMailSettings($input: UpdateMailSettingsInput!) {
    updateMailSettings(input: $input) {
      templates
    }
  }
`);

const TO_CUSTOMERS = [
  'RECEIPT',
  'PAYMENT_FAILED',
  'REFUND',
  'RENEWAL_REMINDER',
  'TRIAL_ENDS',
  'PAUSED',
  'PAUSE_ENDS',
  'CANCELLED',
  'EXPIRED',
] as const satisfies readonly MailTemplate[];
const TO_MERCHANT = [
  'FIRST_SALE',
  'ENDPOINT_FAILING',
  'ENDPOINT_DISABLED',
  'PLAN_PROBLEM',
  'FEE_SCHEDULED',
] as const satisfies readonly MailTemplate[];
const OPTIONAL_TEMPLATES = [...TO_CUSTOMERS, ...TO_MERCHANT];

interface MailSettings {
  readonly templates: readonly MailTemplate[];
  readonly merchantEmail: string | null;
  readonly reminderDays: number;
  readonly isAvailable: boolean;
}

/** The choice of the mails that are sent, with previews. */
export function MailsCard({ mails }: { readonly mails: MailSettings }) {
  const permissions = usePermissions();
  const toast = useToast();
  const [shown, setShown] = useState<MailTemplate>();
  const update = useChange(UPDATE_MAIL_SETTINGS, { onDone: () => toast(settings.saved) });
  const apiForm = useApiForm({
    templates: mails.templates.map(String),
    merchantEmail: mails.merchantEmail ?? '',
    reminderDays: String(mails.reminderDays),
  });
  const { form, errorOf } = apiForm;
  const choices = (names: readonly (typeof OPTIONAL_TEMPLATES)[number][]) =>
    names.map((name) => (
      <li key={name} className="flex items-center justify-between gap-3">
        <label className="flex items-center gap-2">
          <input type="checkbox" value={name} {...form.register('templates')} />
          {text.names[name]}
        </label>
        <Button
          type="button"
          className="shrink-0"
          onClick={() => setShown(name)}
          aria-label={text.previewOf(text.names[name])}
        >
          {text.preview}
        </Button>
      </li>
    ));
  return (
    <>
      <FormCard
        title={text.title}
        description={text.description(environment.toUpperCase())}
        apiForm={apiForm}
        forbidden={permissions.write ? undefined : labels.readOnly}
        question={text.liveQuestion}
        send={({ templates, merchantEmail, reminderDays }) =>
          update.mutateAsync({
            input: {
              templates: OPTIONAL_TEMPLATES.filter((name) => templates.includes(name)),
              merchantEmail: merchantEmail.trim() || null,
              reminderDays: Number(reminderDays),
            },
          })
        }
      >
        {!mails.isAvailable && <p className="text-warn">{text.unavailable}</p>}
        <fieldset>
          <legend className="mb-1 font-medium">{text.toCustomers}</legend>
          <ul className="grid gap-1.5">{choices(TO_CUSTOMERS)}</ul>
        </fieldset>
        <div className="max-w-xs">
          <Field label={text.reminderDays} hint={text.reminderDaysHint} error={errorOf('reminderDays')}>
            {(control) => <input {...control} inputMode="numeric" {...form.register('reminderDays')} />}
          </Field>
        </div>
        <fieldset>
          <legend className="mb-1 font-medium">{text.toYou}</legend>
          <ul className="grid gap-1.5">{choices(TO_MERCHANT)}</ul>
        </fieldset>
        <Field label={text.merchantEmail} hint={text.merchantEmailHint} error={errorOf('merchantEmail')}>
          {(control) => (
            <input
              {...control}
              inputMode="email"
              placeholder="billing@shop.example"
              {...form.register('merchantEmail')}
            />
          )}
        </Field>
      </FormCard>
      {shown && <MailPreviewDialog template={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
