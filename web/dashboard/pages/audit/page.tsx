import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { dayFilters, optionsOf } from '../../../shared/components/filter-options.ts';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { audit as text } from '../../../shared/text/audit.ts';
import { describeUserAgent } from '../../../shared/text/user-agent.ts';
import { Time } from '../../../shared/time/time.tsx';
import { useActorNames } from './actors.ts';
import { Changes } from './changes.tsx';
import { Target } from './target.tsx';
import { type AuditEntry, TargetLink } from './target-link.tsx';

const AUDIT = graphql(/* GraphQL */ `
  query AuditPage($filter: AuditLogFilter, $first: Int, $after: String, $last: Int, $before: String) {
    auditLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
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

function AuditPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const actors = useActorNames();
  const list = useList({
    document: AUDIT,
    variables: {
      filter: {
        action: search.action ?? null,
        actorId: search.actor ?? null,
        targetId: search.target ?? null,
        ...dayRange(search),
      },
    },
    connectionOf: ({ auditLog }) => auditLog,
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  // A former member, or a key of the other environment, may still be in the URL.
  const unknown = search.actor && !actors.has(search.actor) && { [search.actor]: text.unnamed(search.actor) };
  return (
    <ListPage
      name="audit"
      list={list}
      text={text}
      filters={[
        { name: 'action', kind: 'select', label: text.action, options: optionsOf(text.actions) },
        {
          name: 'actor',
          kind: 'select',
          label: text.actor,
          options: optionsOf({ ...Object.fromEntries(actors), ...unknown }),
        },
        { name: 'target', kind: 'text', label: text.target, placeholder: text.targetPlaceholder },
        ...dayFilters(text),
      ]}
      columns={[
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
        { header: text.changes, isLong: true, cell: ({ changes }) => <Changes changes={changes} /> },
        {
          header: text.environment,
          cell: ({ environment }) => <span className="whitespace-nowrap">{environment ?? text.both}</span>,
        },
        { header: text.when, align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      rowKey={({ id }) => id}
      icon="audit"
    />
  );
}

interface ActorProps {
  readonly entry: AuditEntry;
  readonly actors: ReadonlyMap<string, string>;
}

/** The actor of the change, with the request that made it. */
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
                <span title={userAgent}>{describeUserAgent(userAgent)}</span>
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
