import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { useMay } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { common } from '../../../shared/text/common.ts';
import { eventHints, events as text } from '../../../shared/text/events.ts';

const TRIGGER = graphql(/* GraphQL */ `
  mutation TriggerSample($type: String!) {
    triggerEvent(type: $type) {
      id
    }
  }
`);

const TYPES = Object.keys(eventHints).filter((type) => type.startsWith('subscription.'));

/** The button that records a sample event; for TEST only. */
export function TriggerEvent() {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        disabled={!may.write}
        title={may.write ? undefined : common.readOnly}
        onClick={() => setOpen(true)}
      >
        {text.trigger}
      </Button>
      {isOpen && <TriggerDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function TriggerDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const trigger = useChange(TRIGGER, {
    onDone: ({ triggerEvent: { id } }) => navigate({ to: '/events/$id', params: { id } }),
  });
  const apiForm = useApiForm({ type: TYPES[0] ?? '' });
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.triggerTitle}
      description={text.triggerHint}
      action={text.triggerAction}
      apiForm={apiForm}
      send={(values) => trigger.mutateAsync(values)}
      onClose={onClose}
    >
      <Field label={text.type} error={errorOf('type')}>
        {(control) => (
          <select {...control} {...form.register('type')}>
            {TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
