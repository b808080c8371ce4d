import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { useMay } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
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
  const { form, errorOf, formError, submit } = useApiForm({ type: TYPES[0] ?? '' });
  return (
    <Dialog title={text.triggerTitle} description={text.triggerHint} onClose={onClose}>
      <form onSubmit={submit((values) => trigger.mutateAsync(values))} className="grid gap-4">
        <Field label={text.type} error={errorOf('type')}>
          {(control) => (
            <select {...control} {...form.register('type')}>
              {TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          )}
        </Field>
        <FormError message={formError} />
        <FormButtons action={text.triggerAction} busy={form.formState.isSubmitting} onClose={onClose} />
      </form>
    </Dialog>
  );
}
