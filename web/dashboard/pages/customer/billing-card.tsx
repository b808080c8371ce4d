import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { billing as text } from '../../../shared/text/customers.ts';
import type { CustomerDetail } from './customer-detail.ts';

const UPDATE = graphql(/* GraphQL */ `
  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {
    updateBillingDetails(id: $id, input: $input) {
      id
    }
  }
`);

interface BillingCardProps {
  readonly customer: CustomerDetail;
}

/** The customer's billing details for later receipts, and the form that changes them. */
export function BillingCard({ customer }: BillingCardProps) {
  const { billingName, billingAddress, taxId } = customer;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={text.title}
      actions={
        <WriteButton aria-label={text.editTitle} onClick={() => setOpen(true)}>
          {text.edit}
        </WriteButton>
      }
    >
      {billingName || billingAddress || taxId ? (
        <Facts
          facts={[
            { label: text.name, value: billingName },
            {
              label: text.address,
              value: billingAddress && <span className="whitespace-pre-line">{billingAddress}</span>,
            },
            { label: text.taxId, value: taxId },
          ]}
        />
      ) : (
        <p className="text-soft">{text.none}</p>
      )}
      {isOpen && <BillingDialog customer={customer} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function BillingDialog({ customer, onClose }: BillingCardProps & { readonly onClose: () => void }) {
  const toast = useToast();
  const update = useChange(UPDATE, {
    onDone: () => {
      toast(text.saved);
      onClose();
    },
  });
  const apiForm = useApiForm({
    billingName: customer.billingName ?? '',
    billingAddress: customer.billingAddress ?? '',
    taxId: customer.taxId ?? '',
  });
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.editTitle}
      description={text.editHint}
      action={text.save}
      apiForm={apiForm}
      send={({ billingName, billingAddress, taxId }) =>
        update.mutateAsync({
          id: customer.id,
          input: {
            billingName: billingName.trim() || null,
            billingAddress: billingAddress.trim() || null,
            taxId: taxId.trim() || null,
          },
        })
      }
      onClose={onClose}
    >
      <Field label={text.name} error={errorOf('billingName')}>
        {(control) => <input {...control} {...form.register('billingName')} autoComplete="off" />}
      </Field>
      <Field label={text.address} hint={text.addressHint} error={errorOf('billingAddress')}>
        {(control) => (
          <textarea {...control} {...form.register('billingAddress')} rows={4} autoComplete="off" />
        )}
      </Field>
      <Field label={text.taxId} error={errorOf('taxId')}>
        {(control) => <input {...control} {...form.register('taxId')} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
