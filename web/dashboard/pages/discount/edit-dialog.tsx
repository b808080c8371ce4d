import type { UpdateDiscountInput } from '../../../generated/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { Field } from '../../../shared/components/field.tsx';
import { required } from '../../../shared/components/form-checks.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { discountForm, discount as text } from '../../../shared/text/discounts.ts';
import { countOf, optionalCount } from '../discount-create/discount-values.ts';
import { LimitFields } from '../discount-create/limit-fields.tsx';
import { type DiscountDetail, UPDATE_DISCOUNT } from './discount.ts';

interface EditDialogProps {
  readonly discount: DiscountDetail;
  readonly onClose: () => void;
}

/** Changes the name of a discount and who gets it, but not its value. Only changed fields are sent. */
export function EditDialog({ discount, onClose }: EditDialogProps) {
  const { id, name, maxRedemptions, maxPerCustomer, endsAt } = discount;
  const toast = useToast();
  const update = useChange(UPDATE_DISCOUNT, {
    onDone: () => {
      toast(text.saved);
      onClose();
    },
  });
  const apiForm = useApiForm(
    {
      name,
      maxRedemptions: typedCount(maxRedemptions),
      maxPerCustomer: typedCount(maxPerCustomer),
      endsAt: endsAt === null ? '' : lastDay(endsAt),
    },
    {
      name: required(discountForm.nameMissing),
      maxRedemptions: optionalCount,
      maxPerCustomer: optionalCount,
    },
  );
  const { form, errorOf } = apiForm;
  const { dirtyFields } = form.formState;
  return (
    <FormDialog
      title={text.editTitle}
      description={text.editHint}
      action={text.save}
      apiForm={apiForm}
      send={(values) => {
        const input: UpdateDiscountInput = {
          ...(dirtyFields.name && { name: values.name }),
          ...(dirtyFields.maxRedemptions && { maxRedemptions: countOf(values.maxRedemptions) ?? null }),
          ...(dirtyFields.maxPerCustomer && { maxPerCustomer: countOf(values.maxPerCustomer) ?? null }),
          ...(dirtyFields.endsAt && { endsAt: dayRange({ to: values.endsAt }).to }),
        };
        return update.mutateAsync({ id, input });
      }}
      onClose={onClose}
    >
      <Field label={discountForm.name} hint={discountForm.nameHint} error={errorOf('name')}>
        {(control) => <input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <LimitFields register={form.register} errorOf={errorOf} />
      </div>
      <Field label={discountForm.endsAt} hint={discountForm.daysHint} error={errorOf('endsAt')}>
        {(control) => <input {...control} {...form.register('endsAt')} type="date" />}
      </Field>
    </FormDialog>
  );
}

const typedCount = (count: number | null) => (count === null ? '' : String(count));

/** The last day in UTC before a time, at which `dayRange` ends. */
function lastDay(endsAt: string): string {
  return new Date(Date.parse(endsAt) - 1).toISOString().slice(0, 10);
}
