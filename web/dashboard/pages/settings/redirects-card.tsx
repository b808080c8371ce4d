import { environment } from '../../../shared/api/environment.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { labels } from '../../../shared/text/labels.ts';
import { settings as text } from '../../../shared/text/settings.ts';
import { FormCard } from './form-card.tsx';
import { UPDATE_SETTINGS } from './update-settings.ts';

/** The URLs to which a checkout may send customers afterwards. */
export function RedirectsCard({ redirectUrlsAllowed }: { readonly redirectUrlsAllowed: readonly string[] }) {
  const permissions = usePermissions();
  const toast = useToast();
  const update = useChange(UPDATE_SETTINGS, { onDone: () => toast(text.saved) });
  const apiForm = useApiForm({ redirectUrlsAllowed: redirectUrlsAllowed.join('\n') });
  const { form, errorOf } = apiForm;
  return (
    <FormCard
      title={text.redirects}
      description={text.redirectsHint(environment.toUpperCase())}
      apiForm={apiForm}
      forbidden={permissions.write ? undefined : labels.readOnly}
      question={text.liveQuestion}
      send={(values) => {
        const lines = values.redirectUrlsAllowed.split('\n').map((line) => line.trim());
        return update.mutateAsync({ input: { redirectUrlsAllowed: lines.filter(Boolean) } });
      }}
    >
      <Field label={text.redirectUrls} hint={text.redirectUrlsHint} error={errorOf('redirectUrlsAllowed')}>
        {(control) => (
          <textarea
            {...control}
            rows={4}
            spellCheck={false}
            placeholder="https://shop.example"
            {...form.register('redirectUrlsAllowed')}
          />
        )}
      </Field>
    </FormCard>
  );
}
