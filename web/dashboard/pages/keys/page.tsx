import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { environment } from '../../../shared/api/environment.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { pageVariables } from '../../../shared/api/search-params.ts';
import { useMay } from '../../../shared/api/viewer.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SecretDialog } from '../../../shared/components/secret-dialog.tsx';
import { common } from '../../../shared/text/common.ts';
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

/** What is open, and a new secret that its owner has not stored yet. */
type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke'; readonly row: KeyRow }
  | { readonly kind: 'secret'; readonly value: string };

function KeysPage() {
  const search = api.useSearch();
  const navigate = useNavigate({ from: '/keys' });
  const may = useMay();
  const [opened, setOpened] = useState<Opened>();
  const variables = pageVariables(search);
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(KEYS, variables, { keepsPrevious: true }),
  );
  const close = () => setOpened(undefined);
  const showSecret = (value: string) => setOpened({ kind: 'secret', value });
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
  const actions: Column<KeyRow> = {
    header: text.actions,
    align: 'end',
    cell: (row) =>
      row.isValid ? (
        <span className="-mr-3 inline-flex gap-1">
          {!row.replacedBy && (
            <Button
              kind="plain"
              disabled={!may.write}
              title={refused}
              aria-label={text.rotateTitle(row.name)}
              onClick={() => setOpened({ kind: 'rotate', row })}
            >
              {text.rotate}
            </Button>
          )}
          <Button
            kind="plain"
            disabled={!may.write}
            title={refused}
            aria-label={text.revokeTitle(row.name)}
            onClick={() => setOpened({ kind: 'revoke', row })}
          >
            {text.revoke}
          </Button>
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
      queries={[{ document: KEYS, variables }]}
    >
      <DataTable
        label={text.title}
        columns={[...COLUMNS, actions]}
        rows={data?.apiKeys.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={data?.apiKeys.pageInfo}
        onPage={(position) => void navigate({ search: position })}
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
      lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span className="text-soft">{text.never}</span>,
  },
  { header: text.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];
