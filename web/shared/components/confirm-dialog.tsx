import { type ReactNode, useId, useState } from 'react';
import { isLive } from '../api/environment.ts';
import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { inputClass } from './field.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** The effect of the action, in one or two sentences. */
  readonly children: ReactNode;
  /** The verb of the action: `Revoke key`. */
  readonly action: string;
  readonly danger?: boolean;
  /** False for an action that changes nothing for customers, for example a sign-out. */
  readonly namesLive?: boolean;
  readonly busy?: boolean;
  readonly error?: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an action. In LIVE, the member must type LIVE. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, danger = false, busy = false, error, onConfirm, onClose } = props;
  const asksForLive = isLive && (props.namesLive ?? true);
  const [typed, setTyped] = useState('');
  const id = useId();
  const mayConfirm = !asksForLive || typed.trim().toUpperCase() === 'LIVE';
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (mayConfirm) onConfirm();
        }}
      >
        <div className="text-soft">{children}</div>
        {asksForLive && (
          <div className="mt-4 rounded-md bg-bad-ground p-3 text-bad">
            <p className="font-semibold">{labels.liveTitle}</p>
            <p>{labels.liveHint}</p>
            <label htmlFor={id} className="mt-2 block font-medium">
              {labels.liveConfirm}
            </label>
            <input
              id={id}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
              className={`mt-1 ${inputClass}`}
            />
          </div>
        )}
        {error && (
          <p role="alert" className="mt-3 text-bad">
            {error}
          </p>
        )}
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>{labels.cancel}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy} disabled={!mayConfirm}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
