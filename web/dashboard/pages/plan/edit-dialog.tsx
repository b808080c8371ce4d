import { useChange } from '../../../shared/api/query.ts';
import { Field } from '../../../shared/components/field.tsx';
import { optionalAddress, required } from '../../../shared/components/form-checks.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { SpreadField } from '../../../shared/components/spread-field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { type PlanDetail, UPDATE_PLAN } from './plan.ts';

interface EditDialogProps {
  readonly plan: PlanDetail;
  readonly onClose: () => void;
}

/** Changes what is not on chain of a plan, except its features and what follows from failed payments. */
export function EditDialog({ plan, onClose }: EditDialogProps) {
  const toast = useToast();
  const update = useChange(UPDATE_PLAN, {
    onDone: () => {
      toast(text.saved);
      onClose();
    },
  });
  const apiForm = useApiForm(
    {
      name: plan.name,
      description: plan.description ?? '',
      imageUrl: plan.imageUrl ?? '',
      maxPausedPeriods: String(plan.maxPausedPeriods),
      collectWithinSeconds: plan.collectWithinSeconds,
    },
    { name: required(text.nameMissing), imageUrl: optionalAddress },
  );
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.editTitle}
      description={text.editHint}
      action={text.save}
      apiForm={apiForm}
      send={({ name, description, imageUrl, maxPausedPeriods, collectWithinSeconds }) =>
        update.mutateAsync({
          planId: plan.planId,
          input: {
            name,
            description: description || null,
            imageUrl: imageUrl || null,
            maxPausedPeriods: Number(maxPausedPeriods),
            collectWithinSeconds,
          },
        })
      }
      onClose={onClose}
    >
      <Field label={text.name} error={errorOf('name')}>
        {(control) => <input {...control} {...form.register('name')} />}
      </Field>
      <Field label={text.description} error={errorOf('description')}>
        {(control) => <textarea {...control} {...form.register('description')} rows={3} />}
      </Field>
      <Field label={text.imageUrl} hint={text.imageUrlHint} error={errorOf('imageUrl')}>
        {(control) => <input {...control} {...form.register('imageUrl')} type="url" />}
      </Field>
      <Field label={text.maxPaused} hint={text.maxPausedHint} error={errorOf('maxPausedPeriods')}>
        {(control) => (
          <input {...control} {...form.register('maxPausedPeriods')} type="number" min={0} max={12} />
        )}
      </Field>
      <SpreadField
        error={errorOf('collectWithinSeconds')}
        value={form.watch('collectWithinSeconds')}
        interval={plan.interval}
        onChange={(seconds) => form.setValue('collectWithinSeconds', seconds)}
      />
    </FormDialog>
  );
}
