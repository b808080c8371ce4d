import { type ReactNode, useEffect, useId, useRef } from 'react';
import { labels } from '../text/labels.ts';
import { IconButton } from './button.tsx';
import { useModal } from './use-modal.ts';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** A wide dialog, for code and tables. */
  readonly wide?: boolean;
}

/** A modal dialog: render it to open it. Its first field gets the focus. */
export function Dialog({ title, description, onClose, children, wide = false }: DialogProps) {
  const modal = useModal(onClose);
  const body = useRef<HTMLDivElement>(null);
  const titleId = useId();
  useEffect(() => {
    // The browser focuses the close button, because it comes first.
    body.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      className={`max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-auto rounded-lg border border-line bg-surface p-0 text-ink shadow-high ${wide ? 'max-w-3xl' : 'max-w-md'}`}
    >
      <div ref={body} className="p-5">
        <header className="mb-4 flex items-start justify-between gap-4">
          <div>
            <h2 id={titleId} className="text-base font-semibold">
              {title}
            </h2>
            {description && <p className="mt-1 text-soft">{description}</p>}
          </div>
          <IconButton icon="close" label={labels.close} onClick={onClose} className="-mt-1 -mr-2" />
        </header>
        {children}
      </div>
    </dialog>
  );
}
