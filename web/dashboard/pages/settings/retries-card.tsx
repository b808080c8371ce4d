import type { SettingsPageQuery } from '../../../generated/graphql.ts';
import { environment } from '../../../shared/api/environment.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Field, inputClass } from '../../../shared/components/field.tsx';
import { GraceField } from '../../../shared/components/grace-field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { labels } from '../../../shared/text/labels.ts';
import { settings as text } from '../../../shared/text/settings.ts';
import { FormCard } from './form-card.tsx';
import { UPDATE_SETTINGS } from './update-settings.ts';

type Settings = Pick<SettingsPageQuery['settings'], 'maxFailures' | 'retryDelaysSeconds' | 'graceSeconds'>;

/** The API's maximum. */
const MAX_FAILURES = 20;
const UNITS = [86_400, 3_600, 60, 1] as const;

/** Splits a number of seconds into a count of its largest unit. */
function splitSeconds(seconds: number) {
  const unit = UNITS.find((size) => seconds % size === 0) ?? 1;
  return { count: String(seconds / unit), unit: String(unit) };
}

/** The card that sets after how many failures a subscription expires, and the wait after each. */
export function RetriesCard({
  settings: { maxFailures, retryDelaysSeconds, graceSeconds },
}: {
  readonly settings: Settings;
}) {
  const permissions = usePermissions();
  const toast = useToast();
  const update = useChange(UPDATE_SETTINGS, { onDone: () => toast(text.saved) });
  const apiForm = useApiForm({
    maxFailures: String(maxFailures),
    // The last wait repeats, so every wait that may be shown has a value.
    retryDelaysSeconds: Array.from({ length: MAX_FAILURES }, (_, index) =>
      splitSeconds(retryDelaysSeconds[index] ?? retryDelaysSeconds.at(-1) ?? 60),
    ),
    graceSeconds,
  });
  const { form, errorOf } = apiForm;
  const failures = Number(form.watch('maxFailures'));
  const retries = failures - 1;
  const error = errorOf('retryDelaysSeconds');
  return (
    <FormCard
      title={text.retries}
      description={text.retriesHint(environment.toUpperCase())}
      apiForm={apiForm}
      forbidden={permissions.write ? undefined : labels.readOnly}
      question={text.liveQuestion}
      send={(values) => {
        const delayCount = Math.max(retries, retryDelaysSeconds.length);
        const delays = values.retryDelaysSeconds.slice(0, delayCount);
        return update.mutateAsync({
          input: {
            maxFailures: failures,
            graceSeconds: values.graceSeconds,
            retryDelaysSeconds: delays.map(({ count, unit }) => Math.round(Number(count) * Number(unit))),
          },
        });
      }}
    >
      <div className="max-w-xs">
        <Field label={text.maxFailures} error={errorOf('maxFailures')}>
          {(control) => (
            <select {...control} {...form.register('maxFailures')}>
              {Array.from({ length: MAX_FAILURES }, (_, index) => index + 1).map((count) => (
                <option key={count} value={count}>
                  {text.failures(count)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {retries === 0 ? (
        <p className="text-soft">{text.noRetry}</p>
      ) : (
        <div>
          <ol className="grid gap-2">
            {Array.from({ length: retries }, (_, index) => index).map((index) => (
              <li key={index} className="flex flex-wrap items-center gap-2">
                <span className="w-36 text-soft max-sm:w-full">{text.retryAfter(index + 1)}</span>
                <input
                  aria-label={text.retryAfter(index + 1)}
                  aria-invalid={Boolean(error)}
                  inputMode="numeric"
                  {...form.register(`retryDelaysSeconds.${index}.count`)}
                  className={`${inputClass} max-w-20 tabular-nums`}
                />
                <select
                  aria-label={text.retryUnit(index + 1)}
                  {...form.register(`retryDelaysSeconds.${index}.unit`)}
                  className={`${inputClass} max-w-32`}
                >
                  {UNITS.toReversed().map((unit) => (
                    <option key={unit} value={unit}>
                      {text.units[unit]}
                    </option>
                  ))}
                </select>
              </li>
            ))}
          </ol>
          <p className="mt-2 text-xs leading-4 text-soft">{text.maxDelay}</p>
          {error && (
            <p role="alert" className="mt-1 text-bad">
              {error}
            </p>
          )}
        </div>
      )}
      <div className="max-w-xs">
        <GraceField
          error={errorOf('graceSeconds')}
          value={form.watch('graceSeconds')}
          onChange={(seconds) => form.setValue('graceSeconds', seconds, { shouldDirty: true })}
        />
      </div>
    </FormCard>
  );
}
