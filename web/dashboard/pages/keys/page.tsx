import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAskedDialog } from '../../../shared/api/asked-dialog.ts';
import { environment } from '../../../shared/api/environment.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SecretDialog } from '../../../shared/components/secret-dialog.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { keys as text } from '../../../shared/text/keys.ts';
import { keySamples } from '../../../shared/text/samples.ts';
import { DateOnly, RelativeTime } from '../../../shared/time/time.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { KEYS, type KeyRow, shortKey } from './key.ts';
import { KeyStatus } from './key-status.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

export const route = createLazyRoute('/app/keys')({ component: KeysPage });

const api = getRouteApi('/app/keys');

/** The open dialog; `secret` shows a new secret once. */
type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke'; readonly row: KeyRow }
  | { readonly kind: 'secret'; readonly value: string };

function KeysPage() {
  const navigate = api.useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const list = useList({
    document: KEYS,
    variables: {},
    connectionOf: ({ apiKeys }) => apiKeys,
    search: api.useSearch(),
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  const close = () => setOpened(undefined);
  useAskedDialog('/keys', () => setOpened({ kind: 'create' }));
  const showSecret = (value: string) => setOpened({ kind: 'secret', value });
  const create = (
    <WriteButton kind="primary" icon="plus" onClick={() => setOpened({ kind: 'create' })}>
      {text.create}
    </WriteButton>
  );
  const actions: Column<KeyRow> = {
    header: text.actions,
    align: 'end',
    cell: (row) =>
      row.isValid ? (
        <span className="-mr-3 inline-flex gap-1">
          {!row.replacedBy && (
            <WriteButton
              kind="plain"
              aria-label={text.rotateTitle(row.name)}
              onClick={() => setOpened({ kind: 'rotate', row })}
            >
              {text.rotate}
            </WriteButton>
          )}
          <WriteButton
            kind="plain"
            aria-label={row.replacedBy ? text.endTitle(row.name) : text.revokeTitle(row.name)}
            onClick={() => setOpened({ kind: 'revoke', row })}
          >
            {row.replacedBy ? text.end : text.revoke}
          </WriteButton>
        </span>
      ) : (
        <span className="text-soft">–</span>
      ),
  };
  return (
    <Page
      title={text.title}
      description={text.description(environment.toUpperCase())}
      actions={create}
      queries={[list.query]}
    >
      <ListView
        list={list}
        label={text.title}
        columns={[...COLUMNS, actions]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="key" title={text.empty} actions={create}>
            {text.emptyHint}
          </EmptyState>
        }
      />
      {opened?.kind === 'create' && <CreateDialog onSecret={showSecret} onClose={close} />}
      {opened?.kind === 'rotate' && <RotateDialog row={opened.row} onSecret={showSecret} onClose={close} />}
      {opened?.kind === 'revoke' && <RevokeDialog row={opened.row} onClose={close} />}
      {opened?.kind === 'secret' && (
        <SecretDialog
          title={text.secretTitle}
          description={text.secretHint}
          label={text.key}
          value={opened.value}
          onClose={close}
        >
          <CodeSample samples={keySamples(opened.value)} />
        </SecretDialog>
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<KeyRow>[] = [
  {
    header: text.name,
    cell: (row) => (
      <>
        <span className="font-medium">{row.name}</span>
        <code className="block font-mono text-xs text-soft">{shortKey(row)}</code>
      </>
    ),
  },
  {
    header: text.scopes,
    cell: ({ scopes }) => (
      <span className="inline-flex flex-wrap gap-1">
        {scopes.map((scope) => (
          <span key={scope} title={text.scopeHints[scope]}>
            <Badge>{text.scopeNames[scope]}</Badge>
          </span>
        ))}
      </span>
    ),
  },
  { header: text.status, cell: (row) => <KeyStatus row={row} /> },
  {
    header: text.lastUsed,
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? (
        <RelativeTime at={lastUsedAt} clock="machine" />
      ) : (
        <span className="text-soft">{text.never}</span>
      ),
  },
  { header: text.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];
