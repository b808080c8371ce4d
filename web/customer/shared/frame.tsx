import { type ReactNode, useEffect } from 'react';
import type { MerchantAnswer } from '../../../src/api/portal/answers.ts';
import { showTitle } from '../../shared/components/show-title.ts';

/** A company, and its colours where the script of the page sets them. */
type Company = Pick<MerchantAnswer, 'name' | 'logoUrl'> & Partial<Pick<MerchantAnswer, 'colors'>>;

interface FrameProps {
  /** The company of the page, if it belongs to one company. */
  readonly company?: Company | null | undefined;
  /** Shown at the end of the header: links and buttons that leave the page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page for customers: the company's name above, one column of cards. */
export function Frame({ company, actions, children }: FrameProps) {
  useBrand(company?.colors ?? null);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-xl flex-col px-4 py-6 sm:py-10">
      <header className="mb-6 flex min-h-9 items-center gap-3">
        {company && <CompanyMark company={company} />}
        <p className="min-w-0 flex-1 font-semibold">{company?.name}</p>
        {actions}
      </header>
      <main className="grid gap-4">{children}</main>
      <footer className="mt-auto pt-10 text-center text-sm text-soft print:hidden">
        Recurring payments on Solana by dues
      </footer>
    </div>
  );
}

/** The company's logo, or the first letter of its name. The name stands beside it. */
export function CompanyMark({ company: { name, logoUrl } }: { readonly company: Company }) {
  if (logoUrl !== null) {
    return <img src={logoUrl} alt="" className="h-9 max-w-24 shrink-0 rounded-md object-contain" />;
  }
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-md border border-accent bg-brand font-semibold text-on-brand"
    >
      {[...name][0]}
    </span>
  );
}

/** Shows the page in the colours of a company; null for ours. */
function useBrand(colors: MerchantAnswer['colors']): void {
  const { color, text, onLight, onDark } = colors ?? {};
  useEffect(() => {
    if (color === undefined) return undefined;
    const { style } = document.documentElement;
    const properties = {
      '--brand': color,
      '--on-brand': text,
      '--accent': `light-dark(${onLight}, ${onDark})`,
      // The colours of links are readable on this ground too.
      '--accent-ground': 'var(--sunken)',
    };
    for (const [name, value] of Object.entries(properties)) style.setProperty(name, value ?? null);
    return () => {
      for (const name of Object.keys(properties)) style.removeProperty(name);
    };
  }, [color, text, onLight, onDark]);
}

interface TitleProps {
  readonly children: string;
  readonly hint?: ReactNode;
}

/** The title of a page and of its tab. */
export function Title({ children, hint }: TitleProps) {
  useEffect(() => {
    showTitle(children);
  }, [children]);
  return <Heading hint={hint}>{children}</Heading>;
}

/** The title of a page. */
export function Heading({ children, hint }: TitleProps) {
  return (
    <div className="mb-1">
      <h1 className="text-2xl leading-8 font-semibold tracking-tight">{children}</h1>
      {hint && <p className="mt-1 text-soft">{hint}</p>}
    </div>
  );
}

/** An error message, which screen readers read out. */
export function Problem({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
      {children}
    </p>
  );
}
