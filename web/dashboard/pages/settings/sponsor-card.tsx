import { toDecimal } from '../../../../src/domain/catalog/money/decimal-amount.ts';
import type { SettingsPageQuery } from '../../../generated/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { toBaseUnits } from '../../../shared/money/base-units.ts';
import { labels } from '../../../shared/text/labels.ts';
import { settings as text } from '../../../shared/text/settings.ts';
import { FormCard } from './form-card.tsx';
import { UPDATE_SETTINGS } from './update-settings.ts';

type Settings = Pick<SettingsPageQuery['settings'], 'sponsorsCustomers' | 'sponsoredLamportsPerDay'>;

const SOL_DECIMALS = 9;

/** Whether the service pays the fee and the deposits of customers without SOL. */
export function SponsorCard({
  settings: { sponsorsCustomers, sponsoredLamportsPerDay },
}: {
  readonly settings: Settings;
}) {
  const permissions = usePermissions();
  const toast = useToast();
  const update = useChange(UPDATE_SETTINGS, { onDone: () => toast(text.saved) });
  const defaults = {
    sponsorsCustomers,
    sponsoredLamportsPerDay: toDecimal(BigInt(sponsoredLamportsPerDay), SOL_DECIMALS),
  };
  const apiForm = useApiForm(defaults, {
    sponsoredLamportsPerDay: (typed) => (toBaseUnits(typed, SOL_DECIMALS) ? undefined : text.sponsorNumber),
  });
  const { form, errorOf } = apiForm;
  return (
    <FormCard
      title={text.sponsor}
      description={text.sponsorHint}
      apiForm={apiForm}
      forbidden={permissions.write ? undefined : labels.readOnly}
      question={text.liveQuestion}
      send={(values) => {
        const lamports = toBaseUnits(values.sponsoredLamportsPerDay, SOL_DECIMALS);
        return update.mutateAsync({
          input: {
            sponsorsCustomers: values.sponsorsCustomers,
            ...(lamports !== undefined && { sponsoredLamportsPerDay: lamports }),
          },
        });
      }}
    >
      <label className="flex min-h-6 items-center gap-2">
        <input
          type="checkbox"
          {...form.register('sponsorsCustomers')}
          className="size-4 shrink-0 accent-accent"
        />
        {text.sponsorSwitch}
      </label>
      <div className="max-w-xs">
        <Field
          label={text.sponsorBudget}
          hint={text.sponsorBudgetHint}
          error={errorOf('sponsoredLamportsPerDay')}
        >
          {(control) => (
            <input {...control} {...form.register('sponsoredLamportsPerDay')} inputMode="decimal" />
          )}
        </Field>
      </div>
    </FormCard>
  );
}
