import { useId, useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { inputClass } from '../../../shared/components/field.tsx';
import { keys as text } from '../../../shared/text/keys.ts';
import type { KeyRow } from './key.ts';

const ROTATE = graphql(/* GraphQL */ `
  mutation RotateKey($id: ID!, $overlapSeconds: Int) {
    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {
      apiKey
    }
  }
`);

const OVERLAPS = [0, 3_600, 86_400, 604_800, 2_592_000] as const;

interface RotateDialogProps {
  readonly row: KeyRow;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

export function RotateDialog({ row, onSecret, onClose }: RotateDialogProps) {
  const id = useId();
  const [overlapSeconds, setOverlap] = useState(86_400);
  const rotate = useChange(ROTATE, { onDone: ({ rotateApiKey }) => onSecret(rotateApiKey.apiKey) });
  return (
    <ConfirmDialog
      title={text.rotateTitle(row.name)}
      action={text.rotateAction}
      busy={rotate.isPending}
      error={rotate.error?.message}
      onConfirm={() => rotate.mutate({ id: row.id, overlapSeconds })}
      onClose={onClose}
    >
      <p>{text.rotateHint}</p>
      <label htmlFor={id} className="mt-4 mb-1 block font-medium text-ink">
        {text.overlap}
      </label>
      <select
        id={id}
        value={overlapSeconds}
        onChange={({ target }) => setOverlap(Number(target.value))}
        className={inputClass}
      >
        {OVERLAPS.map((seconds) => (
          <option key={seconds} value={seconds}>
            {text.overlaps[seconds]}
          </option>
        ))}
      </select>
    </ConfirmDialog>
  );
}
