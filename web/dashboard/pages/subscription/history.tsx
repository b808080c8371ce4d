import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SubscriptionHistoryQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { shownAmount } from '../../../shared/money/refunded.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { failures, statuses } from '../../../shared/text/statuses.ts';
import { subscription as text } from '../../../shared/text/subscriptions.ts';
import { Time } from '../../../shared/time/time.tsx';
import { groupByCharge } from './charges.ts';
import type { SubscriptionDetail } from './subscription-detail.ts';

const HISTORY = graphql(/* GraphQL */ `
  query SubscriptionHistory($id: ID!, $first: Int) {
    subscription(id: $id) {
      history(first: $first) {
        pageInfo {
          hasNextPage
        }
        edges {
          cursor
          node {
            at
            item {
              __typename
              ... on Attempt {
                attemptStatus: status
                failureCode
                amountRequired
                balanceAvailable
              }
              ... on Event {
                id
                type
              }
              ... on Payment {
                id
                paymentStatus: status
                amount
                paidAmount
                refundedAmount
              }
              ... on SubscriptionTransition {
                to
                reason
              }
            }
          }
        }
      }
    }
  }
`);

type Item = NonNullable<SubscriptionHistoryQuery['subscription']>['history']['edges'][number]['node']['item'];

const FIRST_ENTRIES = 15;
/** The API's maximum. */
const MAX_ENTRIES = 100;

const DOTS = {
  Attempt: 'bg-edge',
  Event: 'bg-edge',
  Payment: 'bg-accent',
  SubscriptionTransition: 'bg-chart-2',
} as const;

/** The token of the amounts. */
type PlanToken = Pick<SubscriptionDetail['plan'], 'mint' | 'asset'>;

/**
 * The history of a subscription, newest first. A charge is one row, which unfolds to its attempts,
 * events and changes of status.
 */
export function History({ id, plan }: { readonly id: string; readonly plan: PlanToken }) {
  const [first, setFirst] = useState(FIRST_ENTRIES);
  const { data, error, refetch } = useQuery(
    askOptions(HISTORY, { id, first }, { live: ['subscription.'], keepsPrevious: true }),
  );
  const history = data?.subscription?.history;
  return (
    <Card title={text.history} flush>
      {error && !data ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : !history ? (
        <SkeletonRows rows={5} />
      ) : (
        <ol className="px-4 pb-2">
          {groupByCharge(history.edges.map(({ cursor, node }) => ({ cursor, ...node }))).map(
            ({ entry: { cursor, at, item }, parts }) => (
              <li key={cursor} className="relative flex gap-3 pb-3 last:pb-2">
                <span
                  aria-hidden="true"
                  className={`mt-1.5 size-2 shrink-0 rounded-full ${DOTS[item.__typename]}`}
                />
                <div className="min-w-0 flex-1">
                  <Line at={at} item={item} plan={plan} />
                  {parts.length > 0 && (
                    <details className="mt-0.5">
                      <summary className="w-fit cursor-pointer py-1 text-xs text-soft">
                        {text.chargeSteps(parts.length)}
                      </summary>
                      <ol className="mt-1 grid gap-1 border-l border-line pl-3">
                        {parts.map((part) => (
                          <li key={part.cursor}>
                            <Line at={part.at} item={part.item} plan={plan} />
                          </li>
                        ))}
                      </ol>
                    </details>
                  )}
                </div>
              </li>
            ),
          )}
        </ol>
      )}
      {history?.pageInfo.hasNextPage && first < MAX_ENTRIES && (
        <div className="border-t border-line px-4 py-2">
          <Button kind="plain" onClick={() => setFirst(MAX_ENTRIES)}>
            {text.more}
          </Button>
        </div>
      )}
    </Card>
  );
}

interface EntryProps {
  readonly item: Item;
  readonly plan: PlanToken;
}

/** An entry with its time. */
function Line({ at, ...entry }: EntryProps & { readonly at: string }) {
  return (
    <div className="items-baseline justify-between gap-x-3 max-sm:grid sm:flex">
      <Entry {...entry} />
      <span className="shrink-0 text-xs text-soft">
        <Time at={at} />
      </span>
    </div>
  );
}

function Entry({ item, plan: { mint, asset } }: EntryProps) {
  switch (item.__typename) {
    case 'SubscriptionTransition':
      return <span className="font-medium">{text.changes[item.reason] ?? statuses[item.to]}</span>;
    case 'Payment':
      return (
        <Link to="/payments/$id" params={{ id: item.id }}>
          {text.paymentOf} {formatAmount({ amount: shownAmount(item), mint, asset })}:{' '}
          {statuses[item.paymentStatus].toLowerCase()}
          {item.refundedAmount !== '0' &&
            `, ${text.refunded(formatAmount({ amount: item.refundedAmount, mint, asset }))}`}
        </Link>
      );
    case 'Event':
      return (
        <Link to="/events/$id" params={{ id: item.id }} className="text-soft">
          {text.event}: {eventNames[item.type] ?? item.type}
        </Link>
      );
    case 'Attempt':
      return (
        <span className="text-soft">
          {text.attempts[item.attemptStatus]}
          {item.failureCode && `. ${failures[item.failureCode]}`}
          {item.failureCode === 'INSUFFICIENT_FUNDS' && item.amountRequired && item.balanceAvailable && (
            <>
              {' '}
              ({formatAmount({ amount: item.balanceAvailable, mint, asset })} /{' '}
              {formatAmount({ amount: item.amountRequired, mint, asset })})
            </>
          )}
        </span>
      );
  }
}
