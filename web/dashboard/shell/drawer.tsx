import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../../shared/components/button.tsx';
import { shell } from '../../shared/text/shell.ts';

/** The navigation on phones: it covers the page from the left. */
export function Drawer({
  onClose,
  children,
}: {
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    if (!opened?.open) opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      aria-label={shell.navigation}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r border-line bg-surface shadow-high"
    >
      <IconButton
        icon="close"
        label={shell.closeMenu}
        onClick={onClose}
        className="absolute top-3 right-3 z-10"
      />
      {children}
    </dialog>
  );
}
