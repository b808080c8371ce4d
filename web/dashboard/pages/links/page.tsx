import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { pageVariables } from '../../../shared/api/search-params.ts';
import { useMay } from '../../../shared/api/viewer.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { common } from '../../../shared/text/common.ts';
import { links as text } from '../../../shared/text/links.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { LINKS, type LinkRow, SWITCH_LINK } from './link.ts';
import { ShareDialog } from './share-dialog.tsx';

export const route = createLazyRoute('/app/links')({ component: LinksPage });

const api = getRouteApi('/app/links');

type Opened = { readonly kind: 'create' } | { readonly kind: 'share' | 'switch-off'; readonly row: LinkRow };

function LinksPage() {
  const search = api.useSearch();
  const navigate = useNavigate({ from: '/links' });
  const may = useMay();
  const toast = useToast();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const variables = pageVariables(search);
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(LINKS, variables, { keepsPrevious: true, live: ['subscription.created'] }),
  );
  const switchLink = useChange(SWITCH_LINK, {
    onDone: ({ updatePaymentLink: { active } }) => {
      toast(active ? text.switchedOn : text.switchedOff);
      close();
    },
  });
  const refused = may.write ? undefined : common.readOnly;
  const create = (
    <Button
      kind="primary"
      icon="plus"
      disabled={!may.write}
      title={refused}
      onClick={() => setOpened({ kind: 'create' })}
    >
      {text.create}
    </Button>
  );
  const actions: Column<LinkRow> = {
    header: text.actions,
    align: 'end',
    cell: (row) => (
      <span className="-mr-3 inline-flex gap-1">
        <Button
          kind="plain"
          aria-label={text.shareTitle(row.name)}
          onClick={() => setOpened({ kind: 'share', row })}
        >
          {text.share}
        </Button>
        <Button
          kind="plain"
          disabled={!may.write}
          title={refused}
          onClick={() =>
            row.active
              ? setOpened({ kind: 'switch-off', row })
              : switchLink.mutate({ id: row.id, active: true })
          }
        >
          {row.active ? text.switchOff : text.switchOn}
        </Button>
      </span>
    ),
  };
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={create}
      queries={[{ document: LINKS, variables }]}
    >
      <DataTable
        label={text.title}
        columns={[...COLUMNS, actions]}
        rows={data?.paymentLinks.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={data?.paymentLinks.pageInfo}
        onPage={(position) => void navigate({ search: position })}
        empty={
          <EmptyState icon="external" title={text.empty} actions={create}>
            {text.emptyHint}
          </EmptyState>
        }
      />
      {opened?.kind === 'create' && <CreateDialog onClose={close} />}
      {opened?.kind === 'share' && <ShareDialog row={opened.row} onClose={close} />}
      {opened?.kind === 'switch-off' && (
        <ConfirmDialog
          title={text.switchTitle(opened.row.name)}
          action={text.switchOff}
          danger
          busy={switchLink.isPending}
          error={switchLink.error?.message}
          onConfirm={() => switchLink.mutate({ id: opened.row.id, active: false })}
          onClose={close}
        >
          {text.switchHint}
        </ConfirmDialog>
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<LinkRow>[] = [
  {
    header: text.url,
    cell: ({ name, url }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="flex items-center gap-1 text-xs text-soft">
          <span className="min-w-0 truncate">{url.replace(/^https?:\/\//, '')}</span>
          <CopyButton text={url} />
        </span>
      </>
    ),
  },
  {
    header: text.plan,
    cell: ({ plan }) => (
      <Link to="/plans/$planId" params={{ planId: plan.planId }}>
        {plan.name}
      </Link>
    ),
  },
  {
    header: text.status,
    cell: ({ active }) => (active ? <Badge tone="good">{text.on}</Badge> : <Badge>{text.off}</Badge>),
  },
  {
    header: text.checkouts,
    cell: ({ openedCount, completedCount }) => (
      <>
        {text.completed(completedCount)}
        <span className="block text-xs text-soft">{text.opened(openedCount)}</span>
      </>
    ),
  },
  { header: text.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];
