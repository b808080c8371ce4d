import { useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import type { PreviewFeaturesQuery } from '../../../generated/graphql.ts';
import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Button } from '../../../shared/components/button.tsx';
import { inputClass } from '../../../shared/components/field.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { type PlanDetail, UPDATE_PLAN } from './plan.ts';

const PREVIEW = graphql(/* GraphQL */ `
  query PreviewFeatures($planId: String!, $features: [FeatureInput!]!) {
    previewFeatures(planId: $planId, features: $features) {
      added
      removed
      changed
      subscriptionCount
    }
  }
`);

interface Row {
  readonly key: string;
  /** As it was typed; empty without a limit. */
  readonly limit: string;
}

interface FeaturesDialogProps {
  readonly plan: PlanDetail;
  readonly onClose: () => void;
}

/** Changes the features of a plan. Before they are saved, it says what changes for how many subscriptions. */
export function FeaturesDialog({ plan: { planId, features }, onClose }: FeaturesDialogProps) {
  const toast = useToast();
  const [checked, setChecked] = useState<{
    rows: string;
    preview: PreviewFeaturesQuery['previewFeatures'];
  }>();
  const update = useChange(UPDATE_PLAN, {
    onDone: () => {
      toast(text.featuresSaved);
      onClose();
    },
  });
  const rows = features.map(({ key, limit }): Row => ({ key, limit: limit === null ? '' : String(limit) }));
  const apiForm = useApiForm<{ features: Row[] }>(
    { features: rows.length === 0 ? [{ key: '', limit: '' }] : rows },
    { features: (typed) => (filled(typed).every(isReadable) ? undefined : text.featureInvalid) },
  );
  const { form, errorOf } = apiForm;
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'features' });
  const typed = JSON.stringify(filled(form.watch('features')));
  const preview = checked?.rows === typed ? checked.preview : undefined;
  const error = errorOf('features');
  return (
    <FormDialog
      title={text.editFeatures}
      description={text.featuresEffect}
      action={preview ? text.saveFeatures : text.checkFeatures}
      apiForm={apiForm}
      send={async (values) => {
        const sent = filled(values.features).map(({ key, limit }) => ({
          key: key.trim(),
          limit: limit.trim() === '' ? null : Number(limit),
        }));
        if (preview) return update.mutateAsync({ planId, input: { features: sent } });
        const { previewFeatures } = await ask(PREVIEW, { planId, features: sent });
        setChecked({ rows: typed, preview: previewFeatures });
      }}
      onClose={onClose}
    >
      <ul className="grid gap-2">
        {fields.map(({ id }, index) => (
          <li key={id} className="flex items-center gap-2 max-sm:flex-wrap">
            <input
              aria-label={text.featureKey(index + 1)}
              aria-invalid={Boolean(error)}
              placeholder={text.featureExample}
              autoComplete="off"
              spellCheck={false}
              {...form.register(`features.${index}.key`)}
              className={`${inputClass} min-w-0 font-mono`}
            />
            <input
              aria-label={text.featureLimitOf(index + 1)}
              aria-invalid={Boolean(error)}
              placeholder={text.noLimit}
              inputMode="numeric"
              autoComplete="off"
              {...form.register(`features.${index}.limit`)}
              className={`${inputClass} max-w-24 tabular-nums`}
            />
            <Button
              className="shrink-0"
              aria-label={text.removeFeatureOf(index + 1)}
              onClick={() => remove(index)}
            >
              {text.removeFeature}
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => append({ key: '', limit: '' })}>{text.addFeature}</Button>
      </div>
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <div role="status">{preview && <Preview preview={preview} />}</div>
    </FormDialog>
  );
}

function Preview({ preview }: { readonly preview: PreviewFeaturesQuery['previewFeatures'] }) {
  const { added, removed, changed, subscriptionCount } = preview;
  const changes = [
    { label: text.featuresAdded, keys: added },
    { label: text.featuresRemoved, keys: removed },
    { label: text.featuresChanged, keys: changed },
  ].filter(({ keys }) => keys.length > 0);
  if (changes.length === 0) return <p className="text-soft">{text.featuresSame}</p>;
  return (
    <div className="rounded-md bg-sunken p-3">
      <p className="font-medium">{text.featuresReach(subscriptionCount)}</p>
      {changes.map(({ label, keys }) => (
        <p key={label} className="wrap-anywhere">
          {label} <span className="font-mono text-[0.8125rem]">{keys.join(', ')}</span>
        </p>
      ))}
    </div>
  );
}

/** The rows in which something is typed. */
function filled(rows: readonly Row[]): Row[] {
  return rows.filter(({ key, limit }) => key.trim() !== '' || limit.trim() !== '');
}

function isReadable({ key, limit }: Row): boolean {
  return key.trim() !== '' && /^\d*$/.test(limit.trim());
}
