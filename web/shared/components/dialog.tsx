import { type ReactNode, useEffect, useId, useRef } from 'react';
import { common } from '../text/common.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** A wide dialog, for code and tables. */
  readonly wide?: boolean;
}

/**
 * A modal dialog: render it to open it. The browser keeps the focus in it, closes it with Escape,
 * and gives the focus back.
 */
export function Dialog({ title, description, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opened = dialog.current;
    if (!opened?.open) opened?.showModal();
    // The browser focuses the close button, because it comes first.
    opened?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // Chromium closes a dialog at the second Escape even if `onCancel` prevented the first.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        // A dialog that contains this one stays open.
        event.stopPropagation();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className={`max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-auto rounded-lg border border-line bg-surface p-0 shadow-high ${wide ? 'max-w-3xl' : 'max-w-md'}`}
    >
      <div className="p-5">
        <header className="mb-4 flex items-start justify-between gap-4">
          <div>
            <h2 id={titleId} className="text-base font-semibold">
              {title}
            </h2>
            {description && <p className="mt-1 text-soft">{description}</p>}
          </div>
          <IconButton icon="close" label={common.close} onClick={onClose} className="-mt-1 -mr-2" />
        </header>
        {children}
      </div>
    </dialog>
  );
}
