import { useNavigate } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { plan as text } from '../../../shared/text/plan.ts';

const DELETE_DRAFT = graphql(/* GraphQL */ `
  mutation DeletePlanDraft($planId: String!) {
    deletePlanDraft(planId: $planId)
  }
`);

interface DeleteDraftDialogProps {
  readonly planId: string;
  readonly onClose: () => void;
}

export function DeleteDraftDialog({ planId, onClose }: DeleteDraftDialogProps) {
  const navigate = useNavigate();
  const toast = useToast();
  const remove = useChange(DELETE_DRAFT, {
    onDone: () => {
      toast(text.draftDeleted);
      return navigate({ to: '/plans', replace: true });
    },
  });
  return (
    <ConfirmDialog
      title={text.deleteDraft}
      action={text.deleteDraft}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ planId })}
      onClose={onClose}
    >
      {text.deleteDraftHint}
    </ConfirmDialog>
  );
}
