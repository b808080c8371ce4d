import { useQuery } from '@tanstack/react-query';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WithCode } from '../../../shared/components/with-code.tsx';
import { endpointForm as text } from '../../../shared/text/webhooks.ts';

const EVENT_TYPES = graphql(/* GraphQL */ `
  query EventTypes {
    eventTypes {
      type
      description
    }
  }
`);

const DEFAULT_CONCURRENCY = 32;

export interface EndpointSettings {
  readonly url: string;
  /** Empty for all types. */
  readonly eventTypes: readonly string[];
  readonly maxPerSecond: number | null;
  readonly maxConcurrency: number;
}

interface EndpointFormProps {
  readonly title: string;
  readonly action: string;
  readonly settings?: EndpointSettings;
  readonly onSave: (settings: EndpointSettings & { readonly eventTypes: string[] }) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form for the settings of an endpoint. */
export function EndpointForm({ title, action, settings, onSave, onClose }: EndpointFormProps) {
  const defaults = {
    url: settings?.url ?? '',
    receives: settings?.eventTypes.length ? 'some' : 'all',
    eventTypes: [...(settings?.eventTypes ?? [])],
    maxPerSecond: settings?.maxPerSecond ? String(settings.maxPerSecond) : '',
    maxConcurrency: String(settings?.maxConcurrency ?? DEFAULT_CONCURRENCY),
  };
  const { form, errorOf, formError, submit } = useApiForm(defaults, {
    url: (url) => (/^https?:\/\/(?!https?[:/])[^\s/]/.test(url.trim()) ? undefined : text.urlMissing),
    // For the API, an empty list means every type.
    eventTypes: (types, { receives }) =>
      receives === 'some' && types.length === 0 ? text.chooseOne : undefined,
  });
  const takesSome = form.watch('receives') === 'some';
  const save = submit(async ({ url, receives, eventTypes, maxPerSecond, maxConcurrency }) => {
    await onSave({
      url: url.trim(),
      eventTypes: receives === 'some' ? eventTypes : [],
      maxPerSecond: maxPerSecond ? Number(maxPerSecond) : null,
      maxConcurrency: Number(maxConcurrency),
    });
  });
  const types = useQuery(askOptions(EVENT_TYPES, {})).data?.eventTypes;
  const typesError = errorOf('eventTypes');
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={save} className="grid gap-4">
        <Field label={text.url} hint={text.urlHint} error={errorOf('url')}>
          {(control) => (
            <input
              {...control}
              {...form.register('url')}
              type="url"
              placeholder="https://"
              autoComplete="off"
              required
            />
          )}
        </Field>
        <fieldset>
          <legend className="mb-1 font-medium">{text.events}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {(['all', 'some'] as const).map((value) => (
              <label key={value} className="flex min-h-6 items-center gap-2">
                <input
                  type="radio"
                  value={value}
                  {...form.register('receives')}
                  className="size-4 accent-accent"
                />
                {text[value]}
              </label>
            ))}
          </div>
        </fieldset>
        {takesSome && (
          <fieldset className="rounded-md border border-line p-3">
            <legend className="sr-only">{text.choose}</legend>
            {!types && <SkeletonRows rows={10} />}
            <div className="grid gap-2">
              {types?.map(({ type, description }) => (
                <label key={type} className="flex items-start gap-2">
                  <input
                    type="checkbox"
                    value={type}
                    {...form.register('eventTypes')}
                    className="mt-0.5 size-4 shrink-0 accent-accent"
                  />
                  <span className="min-w-0">
                    <code className="block font-mono text-[0.8125rem]">{type}</code>
                    <span className="block text-xs text-soft">
                      <WithCode text={description} />
                    </span>
                  </span>
                </label>
              ))}
            </div>
            {typesError && (
              <p role="alert" className="mt-2 text-bad">
                {typesError}
              </p>
            )}
          </fieldset>
        )}
        <Field label={text.rate} hint={text.rateHint} error={errorOf('maxPerSecond')}>
          {(control) => (
            <input {...control} {...form.register('maxPerSecond')} type="number" inputMode="numeric" />
          )}
        </Field>
        <Field label={text.concurrency} hint={text.concurrencyHint} error={errorOf('maxConcurrency')}>
          {(control) => (
            <input {...control} {...form.register('maxConcurrency')} type="number" inputMode="numeric" />
          )}
        </Field>
        <FormError message={formError} />
        <FormButtons action={action} busy={form.formState.isSubmitting} onClose={onClose} />
      </form>
    </Dialog>
  );
}
