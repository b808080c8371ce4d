import type { ReactNode } from 'react';
import { IconButton } from '../../shared/components/button.tsx';
import { useModal } from '../../shared/components/use-modal.ts';
import { shell } from '../../shared/text/shell.ts';

/** The navigation on phones: it covers the page from the left. */
export function Drawer({
  onClose,
  children,
}: {
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <dialog
      {...useModal(onClose)}
      aria-label={shell.navigation}
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
