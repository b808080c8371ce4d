import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { dayRange, pageVariables } from '../../../shared/api/search-params.ts';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { type Filter, FilterBar } from '../../../shared/components/filter-bar.tsx';
import { NothingFound } from '../../../shared/components/nothing-found.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { audit as text } from '../../../shared/text/audit.ts';
import { nameOfUserAgent } from '../../../shared/text/user-agent.ts';
import { Time } from '../../../shared/time/time.tsx';
import { useActorNames } from './actors.ts';
import { Changes } from './changes.tsx';
import { Target } from './target.tsx';
import { type AuditEntry, TargetLink } from './target-link.tsx';

const AUDIT = graphql(/* GraphQL */ `
  query AuditPage(
    $action: String
    $actorId: ID
    $targetId: String
    $from: DateTime
    $to: DateTime
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    auditLog(
      action: $action
      actorId: $actorId
      targetId: $targetId
      from: $from
      to: $to
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          action
          actor
          actorId
          actorName
          changes
          createdAt
          environment
          ipAddress
          requestId
          targetId
          userAgent
        }
      }
    }
  }
`);

export const route = createLazyRoute('/app/audit')({ component: AuditPage });

const api = getRouteApi('/app/audit');

const ACTIONS = Object.entries(text.actions).map(([value, label]) => ({ value, label }));

function filtersOf(
  actors: ReadonlyMap<string, string>,
  chosen: string | undefined,
): readonly Filter<'action' | 'actor' | 'target' | 'from' | 'to'>[] {
  // A former member, or a key of the other environment, may still be in the URL.
  const all =
    chosen && !actors.has(chosen) ? [...actors, [chosen, text.somebody(chosen)] as const] : [...actors];
  return [
    { name: 'action', kind: 'select', label: text.action, options: ACTIONS },
    {
      name: 'actor',
      kind: 'select',
      label: text.actor,
      options: all.map(([value, label]) => ({ value, label })),
    },
    { name: 'target', kind: 'text', label: text.target, placeholder: text.targetPlaceholder },
    { name: 'from', kind: 'date', label: text.from },
    { name: 'to', kind: 'date', label: text.to },
  ];
}

function AuditPage() {
  const search = api.useSearch();
  const navigate = useNavigate({ from: '/audit' });
  const actors = useActorNames();
  const filter = {
    action: search.action ?? null,
    actorId: search.actor ?? null,
    targetId: search.target ?? null,
    ...dayRange(search),
  };
  const variables = { ...filter, ...pageVariables(search) };
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(AUDIT, variables, { keepsPrevious: true }),
  );
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const columns: readonly Column<AuditEntry>[] = [
    {
      header: text.what,
      cell: (entry) => (
        <>
          <TargetLink entry={entry} />
          <Target entry={entry} />
        </>
      ),
    },
    { header: text.who, cell: (entry) => <Actor entry={entry} actors={actors} /> },
    { header: text.changes, cell: ({ changes }) => <Changes changes={changes} /> },
    {
      header: text.environment,
      cell: ({ environment }) => <span className="whitespace-nowrap">{environment ?? text.both}</span>,
    },
    { header: text.when, align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Page title={text.title} description={text.description} queries={[{ document: AUDIT, variables }]}>
      <FilterBar
        filters={filtersOf(actors, search.actor)}
        values={search}
        onChange={(changed) =>
          void navigate({
            search: ({ after: _, before: __, ...old }) => ({ ...old, ...changed }) as typeof search,
          })
        }
      />
      <DataTable
        label={text.title}
        columns={columns}
        rows={data?.auditLog.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={data?.auditLog.pageInfo}
        onPage={(position) =>
          void navigate({ search: ({ after: _, before: __, ...old }) => ({ ...old, ...position }) })
        }
        empty={
          isFiltered ? (
            <NothingFound onClear={() => void navigate({ search: {} })} />
          ) : (
            <EmptyState icon="audit" title={text.empty}>
              {text.emptyHint}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

interface ActorProps {
  readonly entry: AuditEntry;
  readonly actors: ReadonlyMap<string, string>;
}

/** Who made the change, and from where. */
function Actor({ entry, actors }: ActorProps) {
  const { actor, actorId, actorName, ipAddress, userAgent, requestId } = entry;
  const known = actorId ? actors.get(actorId) : undefined;
  return (
    <>
      {actor === 'OPERATOR' ? (
        text.operator
      ) : actor === 'API_KEY' ? (
        (known ?? text.key(actorName ?? ''))
      ) : known ? (
        <span title={actorName ?? undefined} className="block max-w-48 truncate">
          {known}
        </span>
      ) : (
        <ShortId value={actorName ?? ''} />
      )}
      {requestId && (
        <details className="text-xs text-soft">
          <summary className="w-fit rounded-sm max-sm:ml-auto">{text.request}</summary>
          <dl className="mt-1 grid gap-0.5">
            {ipAddress && <Line label={text.ipAddress}>{ipAddress}</Line>}
            {userAgent && (
              <Line label={text.browser}>
                <span title={userAgent}>{nameOfUserAgent(userAgent)}</span>
              </Line>
            )}
            <Line label={text.requestId}>
              <ShortId value={requestId} />
            </Line>
          </dl>
        </details>
      )}
    </>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-1.5">
      <dt>{label}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  );
}
