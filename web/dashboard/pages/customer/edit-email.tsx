import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Field } from '../../../shared/components/field.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { customers as text } from '../../../shared/text/customers.ts';
import type { CustomerDetail } from './customer-detail.ts';

const UPDATE = graphql(/* GraphQL */ `
  mutation UpdateCustomerEmail($id: ID!, $email: String!) {
    updateCustomer(id: $id, email: $email) {
      id
    }
  }
`);

interface EditEmailProps {
  readonly customer: CustomerDetail;
}

/** The button that changes the customer's email, and its form. */
export function EditEmail({ customer }: EditEmailProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton onClick={() => setOpen(true)}>{text.editEmail}</WriteButton>
      {isOpen && <EditEmailDialog customer={customer} onClose={() => setOpen(false)} />}
    </>
  );
}

function EditEmailDialog({ customer, onClose }: EditEmailProps & { readonly onClose: () => void }) {
  const toast = useToast();
  const update = useChange(UPDATE, {
    onDone: () => {
      toast(text.emailSaved);
      onClose();
    },
  });
  const apiForm = useApiForm({ email: customer.email });
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.editEmail}
      description={text.editEmailHint}
      action={text.save}
      apiForm={apiForm}
      send={({ email }) => update.mutateAsync({ id: customer.id, email: email.trim() })}
      onClose={onClose}
    >
      <Field label={text.email} error={errorOf('email')}>
        {(control) => <input {...control} {...form.register('email')} type="email" autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
