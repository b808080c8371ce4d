import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAskedDialog } from '../../../shared/api/asked-dialog.ts';
import { isLive } from '../../../shared/api/environment.ts';
import { usePlanOptions } from '../../../shared/api/plan-options.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { links as text } from '../../../shared/text/links.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { LINKS, type LinkRow, SWITCH_LINK } from './link.ts';
import { ShareDialog, type SharedLink } from './share-dialog.tsx';

export const route = createLazyRoute('/app/links')({ component: LinksPage });

const api = getRouteApi('/app/links');

type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'share'; readonly row: SharedLink }
  | { readonly kind: 'switch'; readonly row: LinkRow };

function LinksPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const plans = usePlanOptions(search.plan);
  const toast = useToast();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  useAskedDialog('/links', () => setOpened({ kind: 'create' }));
  const list = useList({
    document: LINKS,
    variables: { planId: search.plan ?? null, active: search.status ? search.status === 'ON' : null },
    connectionOf: ({ paymentLinks }) => paymentLinks,
    live: ['subscription.created'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  const switchLink = useChange(SWITCH_LINK, {
    onDone: ({ updatePaymentLink: { active } }) => {
      toast(active ? text.switchedOn : text.switchedOff);
      close();
    },
  });
  const create = (
    <WriteButton kind="primary" icon="plus" onClick={() => setOpened({ kind: 'create' })}>
      {text.create}
    </WriteButton>
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
        <WriteButton
          kind="plain"
          onClick={() =>
            row.active || isLive
              ? setOpened({ kind: 'switch', row })
              : switchLink.mutate({ id: row.id, active: true })
          }
        >
          {row.active ? text.switchOff : text.switchOn}
        </WriteButton>
      </span>
    ),
  };
  return (
    <ListPage
      name="links"
      list={list}
      text={text}
      filters={[
        { name: 'plan', kind: 'select', label: text.plan, options: plans },
        {
          name: 'status',
          kind: 'select',
          label: text.status,
          options: [
            { value: 'ON', label: text.on },
            { value: 'OFF', label: text.off },
          ],
        },
      ]}
      columns={[...COLUMNS, actions]}
      rowKey={({ id }) => id}
      actions={create}
      icon="external"
      begin={create}
    >
      {opened?.kind === 'create' && (
        <CreateDialog onCreated={(row) => setOpened({ kind: 'share', row })} onClose={close} />
      )}
      {opened?.kind === 'share' && <ShareDialog row={opened.row} onClose={close} />}
      {opened?.kind === 'switch' && (
        <ConfirmDialog
          title={(opened.row.active ? text.switchTitle : text.switchOnTitle)(opened.row.name)}
          action={opened.row.active ? text.switchOff : text.switchOn}
          danger={opened.row.active}
          busy={switchLink.isPending}
          error={switchLink.error?.message}
          onConfirm={() => switchLink.mutate({ id: opened.row.id, active: !opened.row.active })}
          onClose={close}
        >
          {opened.row.active ? text.switchHint : text.switchOnHint}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

const COLUMNS: readonly Column<LinkRow>[] = [
  {
    header: text.url,
    cell: ({ name, url }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="flex items-center gap-1 text-xs text-soft">
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            title={url}
            className="max-w-60 truncate text-accent"
          >
            {url.replace(/^https?:\/\//, '')}
          </a>
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
    cell: ({ active, allowsCodes }) => (
      <span className="flex flex-wrap gap-1">
        {active ? <Badge tone="good">{text.on}</Badge> : <Badge>{text.off}</Badge>}
        {allowsCodes && <Badge tone="accent">{text.takesCodes}</Badge>}
      </span>
    ),
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
