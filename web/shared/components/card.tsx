import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  /** Shown at the end of the title's line: buttons and links. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without padding, for a table. */
  readonly flush?: boolean;
  readonly className?: string;
}

/** A titled part of a page. */
export function Card({ title, description, actions, children, flush = false, className = '' }: CardProps) {
  return (
    <section className={`min-w-0 rounded-lg border border-line bg-surface shadow-low ${className}`}>
      {title && (
        <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 px-4 pt-4 pb-3">
          <div className="min-w-0 grow basis-40">
            <h2 className="leading-5 font-semibold">{title}</h2>
            {description && <p className="mt-0.5 text-soft">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? '' : title ? 'px-4 pb-4' : 'p-4'}>{children}</div>
    </section>
  );
}
