import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { events as text } from '../../../shared/text/events.ts';
import { SAMPLE_TYPES, SampleTypeField } from './sample-type-field.tsx';

const TRIGGER = graphql(/* GraphQL */ `
  mutation TriggerSample($type: String!) {
    triggerEvent(type: $type) {
      id
    }
  }
`);

/** The button that records a sample event, in TEST only. */
export function TriggerEvent() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton onClick={() => setOpen(true)}>{text.trigger}</WriteButton>
      {isOpen && <TriggerDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function TriggerDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const trigger = useChange(TRIGGER, {
    onDone: ({ triggerEvent: { id } }) => navigate({ to: '/events/$id', params: { id } }),
  });
  const apiForm = useApiForm({ type: SAMPLE_TYPES[0] ?? '' });
  return (
    <FormDialog
      title={text.triggerTitle}
      description={text.triggerHint}
      action={text.triggerAction}
      apiForm={apiForm}
      send={(values) => trigger.mutateAsync(values)}
      onClose={onClose}
    >
      <SampleTypeField apiForm={apiForm} label={text.type} types={SAMPLE_TYPES} />
    </FormDialog>
  );
}
