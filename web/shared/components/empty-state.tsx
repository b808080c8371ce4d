import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** The text below the title: why nothing is shown, or what to do. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** Shown instead of a list without rows, or of a page without content. It says what to do. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-12 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-full bg-sunken text-soft">
        <Icon name={icon} className="size-5" />
      </span>
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1 max-w-md text-soft">{children}</p>
      {actions && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
