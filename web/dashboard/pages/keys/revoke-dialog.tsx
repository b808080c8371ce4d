import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { keys as text } from '../../../shared/text/keys.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { type KeyRow, shortKey } from './key.ts';

const REVOKE = graphql(/* GraphQL */ `
  mutation RevokeKey($id: ID!) {
    revokeApiKey(id: $id) {
      id
    }
  }
`);

interface RevokeDialogProps {
  readonly row: KeyRow;
  readonly onClose: () => void;
}

/** Asks before a key is revoked, which also ends the overlap of a key that was replaced. */
export function RevokeDialog({ row, onClose }: RevokeDialogProps) {
  const isOverlap = row.replacedBy !== null;
  const toast = useToast();
  const revoke = useChange(REVOKE, {
    onDone: () => {
      toast(isOverlap ? text.endedDone : text.revokedDone);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={isOverlap ? text.endTitle(row.name) : text.revokeTitle(row.name)}
      action={isOverlap ? text.endAction : text.revokeAction}
      danger
      busy={revoke.isPending}
      error={revoke.error?.message}
      onConfirm={() => revoke.mutate({ id: row.id })}
      onClose={onClose}
    >
      <p>{text.revokeHint(shortKey(row))}</p>
      <p className="mt-2 text-ink">
        {row.lastUsedAt ? (
          <>
            {text.revokeUsed} <RelativeTime at={row.lastUsedAt} clock="machine" />.
          </>
        ) : (
          text.revokeUnused
        )}
      </p>
    </ConfirmDialog>
  );
}
