import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { ExportButton, type ExportButtonProps } from './export-button.tsx';
import type { IconName } from './icon.tsx';
import { ListView, type ListViewProps } from './list-view.tsx';
import { Page } from './page.tsx';
import { SavedViews } from './saved-views.tsx';
import type { ListSearch } from './use-list.ts';

interface ListPageProps<Search extends ListSearch, Row>
  extends Omit<ListViewProps<Search, Row>, 'label' | 'empty'> {
  /** The name under which views of the list are saved: `subscriptions`. */
  readonly name: string;
  readonly text: {
    readonly title: string;
    readonly description: string;
    /** Title and text of an empty list. */
    readonly empty: string;
    readonly emptyHint: string;
  };
  /** Shown while the list is empty. */
  readonly icon: IconName;
  /** Links or buttons that lead to the first row. */
  readonly begin?: ReactNode;
  /** Replaces the description in `text`. */
  readonly description?: ReactNode;
  /** The CSV export, for a list that has one. */
  readonly exported?: Omit<ExportButtonProps, 'total'>;
  readonly actions?: ReactNode;
  /** Tabs above the filters, and dialogs. */
  readonly children?: ReactNode;
}

/** A page that is one list: filters, saved views, export, table, and the query to copy. */
export function ListPage<Search extends ListSearch, Row>(props: ListPageProps<Search, Row>) {
  const { name, text, description = text.description, ...others } = props;
  const { icon, begin, exported, actions, children, ...view } = others;
  const { search, open, connection, query } = view.list;
  return (
    <Page
      title={text.title}
      description={description}
      actions={
        <>
          <SavedViews list={name} search={search} onOpen={open} />
          {exported && <ExportButton {...exported} total={connection?.totalCount} />}
          {actions}
        </>
      }
      queries={[query]}
    >
      {children}
      <ListView
        {...view}
        label={text.title}
        empty={
          <EmptyState icon={icon} title={text.empty} actions={begin}>
            {text.emptyHint}
          </EmptyState>
        }
      />
    </Page>
  );
}
