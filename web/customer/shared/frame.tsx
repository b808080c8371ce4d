import { type ReactNode, useEffect } from 'react';
import { showTitle } from '../../shared/components/show-title.ts';

interface FrameProps {
  /** The company of the page, if it belongs to one company. */
  readonly company?: { readonly name: string; readonly logoUrl: string | null } | null;
  /** Shown at the end of the header: links and buttons that leave the page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page for customers: the company's name above, one column of cards. */
export function Frame({ company, actions, children }: FrameProps) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-xl flex-col px-4 py-6 sm:py-10">
      <header className="mb-6 flex min-h-9 items-center gap-3">
        {company?.logoUrl && (
          <img
            src={company.logoUrl}
            alt=""
            width="36"
            height="36"
            className="size-9 rounded-md object-contain"
          />
        )}
        <p className="min-w-0 flex-1 font-semibold">{company?.name}</p>
        {actions}
      </header>
      <main className="grid gap-4">{children}</main>
      <footer className="mt-auto pt-10 text-center text-sm text-soft">
        Recurring payments on Solana by dues
      </footer>
    </div>
  );
}

/** The title of a page and of its tab. */
export function Title({ children, hint }: { readonly children: string; readonly hint?: ReactNode }) {
  useEffect(() => {
    showTitle(children);
  }, [children]);
  return (
    <div className="mb-1">
      <h1 className="text-2xl leading-8 font-semibold tracking-tight">{children}</h1>
      {hint && <p className="mt-1 text-soft">{hint}</p>}
    </div>
  );
}

/** An error message, which screen readers read out. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
      {children}
    </p>
  );
}
