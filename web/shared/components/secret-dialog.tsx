import { type ReactNode, useState } from 'react';
import { secret as text } from '../text/secret.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly description: string;
  /** The name of the secret, for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onClose: () => void;
  /** How to use it. */
  readonly children?: ReactNode;
}

/** Shows a secret once. It warns before it closes if the secret was not copied. */
export function SecretDialog({ title, description, label, value, onClose, children }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setWarned(false);
  };
  const close = () => (isCopied ? onClose() : setWarned(true));
  return (
    <Dialog title={title} description={description} onClose={close} wide>
      <div className="flex gap-2">
        <input
          readOnly
          aria-label={label}
          value={value}
          onFocus={({ target }) => target.select()}
          onCopy={() => setCopied(true)}
          className="min-h-8 min-w-0 flex-1 rounded-md border border-edge bg-sunken px-2.5 py-1 font-mono text-[0.8125rem]"
        />
        <Button kind="primary" icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
          {isCopied ? text.copied : text.copy}
        </Button>
      </div>
      {children && <div className="mt-4">{children}</div>}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        <p role="alert" className="mr-auto text-warn empty:hidden">
          {isWarned && text.notCopied}
        </p>
        {isWarned && (
          <Button kind="plain" onClick={onClose}>
            {text.closeAnyway}
          </Button>
        )}
        <Button onClick={close}>{text.done}</Button>
      </div>
    </Dialog>
  );
}
