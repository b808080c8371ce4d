import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { useMay } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { common } from '../../../shared/text/common.ts';
import { subscription as text } from '../../../shared/text/subscriptions.ts';

const UNDO = graphql(/* GraphQL */ `
  mutation UndoCancellation($id: ID!) {
    undoCancellation(subscription: $id) {
      lifeId
    }
  }
`);

/** Takes back a cancellation before it takes effect. */
export function UndoButton({ id }: { readonly id: string }) {
  const may = useMay();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const undo = useChange(UNDO, {
    onDone: () => {
      setAsking(false);
      toast(text.undone);
    },
  });
  return (
    <>
      <Button
        disabled={!may.write}
        title={may.write ? undefined : common.readOnly}
        onClick={() => setAsking(true)}
      >
        {text.undo}
      </Button>
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
