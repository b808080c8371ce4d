import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { subscription as text } from '../../../shared/text/subscriptions.ts';

const UNDO_CANCELLATION = graphql(/* GraphQL */ `
  mutation UndoCancellation($id: ID!) {
    undoCancellation(subscription: $id) {
      lifeId
    }
  }
`);

/** A button that undoes a cancellation before it takes effect. */
export function UndoButton({ id }: { readonly id: string }) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const undo = useChange(UNDO_CANCELLATION, {
    onDone: () => {
      setAsking(false);
      toast(text.undone);
    },
  });
  return (
    <>
      <WriteButton onClick={() => setAsking(true)}>{text.undo}</WriteButton>
      {isAsking && (
        <ConfirmDialog
          title={text.undoTitle}
          action={text.undo}
          busy={undo.isPending}
          error={undo.error?.message}
          onConfirm={() => undo.mutate({ id })}
          onClose={() => setAsking(false)}
        >
          {text.undoHint}
        </ConfirmDialog>
      )}
    </>
  );
}
