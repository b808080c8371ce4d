import { useChange } from '../../../shared/api/query.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { GraceField } from '../../../shared/components/grace-field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { type PlanDetail, UPDATE_PLAN } from './plan.ts';

interface GraceDialogProps {
  readonly plan: PlanDetail;
  /** The grace of the environment, in seconds. */
  readonly ofEnvironment: number;
  readonly onClose: () => void;
}

/** Changes the grace of a plan. */
export function GraceDialog({ plan, ofEnvironment, onClose }: GraceDialogProps) {
  const toast = useToast();
  const update = useChange(UPDATE_PLAN, {
    onDone: () => {
      toast(text.saved);
      onClose();
    },
  });
  const apiForm = useApiForm<{ graceSeconds: number | null }>({ graceSeconds: plan.graceSeconds });
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.changeGrace}
      description={text.graceEffect}
      action={text.save}
      apiForm={apiForm}
      send={({ graceSeconds }) => update.mutateAsync({ planId: plan.planId, input: { graceSeconds } })}
      onClose={onClose}
    >
      <GraceField
        error={errorOf('graceSeconds')}
        value={form.watch('graceSeconds')}
        ofEnvironment={ofEnvironment}
        onChange={(seconds) => form.setValue('graceSeconds', seconds)}
      />
    </FormDialog>
  );
}
