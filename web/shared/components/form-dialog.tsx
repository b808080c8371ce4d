import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { FormError } from './form-error.tsx';
import type { ApiForm } from './use-api-form.ts';

interface FormDialogProps<Values extends FieldValues> {
  readonly title: string;
  readonly description?: ReactNode;
  /** The verb of the action: `Create key`. */
  readonly action: string;
  readonly apiForm: ApiForm<Values>;
  readonly send: (values: Values) => Promise<unknown>;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A dialog with a form that the server validates. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { title, description, action, apiForm, send, onClose, children } = props;
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form noValidate className="grid gap-4" onSubmit={apiForm.submit(send)}>
        {children}
        <FormError message={apiForm.formError} />
        <FormButtons action={action} busy={apiForm.form.formState.isSubmitting} onClose={onClose} />
      </form>
    </Dialog>
  );
}
