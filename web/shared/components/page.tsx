import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { shell } from '../text/shell.ts';
import { CopyQuery } from './copy-query.tsx';
import { Icon } from './icon.tsx';
import type { PageQuery } from './query-samples.tsx';
import { showTitle } from './show-title.ts';

/** The lists that detail pages link back to. */
const LISTS = {
  plans: '/plans',
  discounts: '/discounts',
  subscriptions: '/subscriptions',
  payments: '/payments',
  customers: '/customers',
  webhooks: '/webhooks',
  events: '/events',
} as const;

interface PageProps {
  readonly title: string;
  /** The list that a detail page belongs to; a link above the title leads to it. */
  readonly list?: keyof typeof LISTS;
  /** One sentence about the purpose of the page. */
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The queries of this page, for copying. */
  readonly queries?: readonly PageQuery[];
  readonly children: ReactNode;
}

/** The frame of every page: its title, which is also the title of the window, and its actions. */
export function Page({ title, list, description, actions, queries, children }: PageProps) {
  useEffect(() => {
    showTitle(`${title} · dues`);
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 lg:px-8 lg:py-8">
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {list && (
            <Link
              to={LISTS[list]}
              className="mb-1 -ml-1 inline-flex min-h-6 items-center gap-0.5 rounded-sm pr-1 text-soft no-underline hover:text-ink"
            >
              <Icon name="chevronLeft" className="size-3.5" />
              {shell.pages[list]}
            </Link>
          )}
          <h1 className="text-xl leading-7 font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {description && <p className="mt-1 max-w-2xl text-soft">{description}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {queries && <CopyQuery queries={queries} />}
          {actions}
        </div>
      </header>
      {children}
    </div>
  );
}
