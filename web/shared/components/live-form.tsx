import { type ReactNode, useState } from 'react';
import { isLive } from '../api/environment.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The texts of the confirmation before a form is sent in LIVE. */
export interface LiveQuestion {
  readonly title: string;
  readonly hint: string;
  /** The verb of the action: `Create link`. */
  readonly action: string;
}

interface LiveFormProps {
  /** Without it, the form is sent at once. */
  readonly question: LiveQuestion | undefined;
  readonly onSubmit: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form that is sent in LIVE only after a confirmation. */
export function LiveForm({ question, onSubmit, className, children }: LiveFormProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <form
        noValidate
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          if (isLive && question) setAsking(true);
          else onSubmit();
        }}
      >
        {children}
      </form>
      {isAsking && question && (
        <ConfirmDialog
          title={question.title}
          action={question.action}
          onConfirm={() => {
            setAsking(false);
            onSubmit();
          }}
          onClose={() => setAsking(false)}
        >
          {question.hint}
        </ConfirmDialog>
      )}
    </>
  );
}
