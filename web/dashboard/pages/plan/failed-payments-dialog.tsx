import { useChange } from '../../../shared/api/query.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { GraceField } from '../../../shared/components/grace-field.tsx';
import { RetryField } from '../../../shared/components/retry-field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { type PlanDetail, UPDATE_PLAN } from './plan.ts';

interface FailedPaymentsDialogProps {
  readonly plan: PlanDetail;
  /** The grace of the environment, in seconds. */
  readonly ofEnvironment: number;
  readonly onClose: () => void;
}

/** Changes how failed payments of a plan are retried, and its grace. */
export function FailedPaymentsDialog({ plan, ofEnvironment, onClose }: FailedPaymentsDialogProps) {
  const toast = useToast();
  const update = useChange(UPDATE_PLAN, {
    onDone: () => {
      toast(text.saved);
      onClose();
    },
  });
  const { planId, graceSeconds, retryPolicy } = plan;
  const apiForm = useApiForm<Pick<PlanDetail, 'graceSeconds' | 'retryPolicy'>>({ graceSeconds, retryPolicy });
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.changeFailedPayments}
      description={text.failedPaymentsEffect}
      action={text.save}
      apiForm={apiForm}
      send={(input) => update.mutateAsync({ planId, input })}
      onClose={onClose}
    >
      <RetryField
        error={errorOf('retryPolicy')}
        value={form.watch('retryPolicy')}
        onChange={(policy) => form.setValue('retryPolicy', policy)}
      />
      <GraceField
        error={errorOf('graceSeconds')}
        value={form.watch('graceSeconds')}
        ofEnvironment={ofEnvironment}
        onChange={(seconds) => form.setValue('graceSeconds', seconds)}
      />
    </FormDialog>
  );
}
