import { Link } from '@tanstack/react-router';
import type { DiscountUsesQuery, RedemptionStatus } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { Badge, type Tone } from '../../../shared/components/badge.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { type ListSearch, type SearchChange, useList } from '../../../shared/components/use-list.ts';
import { discount as text } from '../../../shared/text/discounts.ts';
import { Time } from '../../../shared/time/time.tsx';
import type { DiscountDetail } from './discount.ts';

const USES = graphql(/* GraphQL */ `
  query DiscountUses($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    discount(id: $id) {
      redemptions(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
        edges {
          node {
            id
            status
            createdAt
            subscription {
              lifeId
              customer {
                email
              }
              plan {
                name
              }
            }
          }
        }
      }
    }
  }
`);

type Redemption = NonNullable<DiscountUsesQuery['discount']>['redemptions']['edges'][number]['node'];

const TONES: Readonly<Record<RedemptionStatus, Tone>> = {
  RESERVED: 'accent',
  REDEEMED: 'good',
  RELEASED: 'neutral',
};

const NO_ROWS = {
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false },
};

const COLUMNS: readonly Column<Redemption>[] = [
  {
    header: text.customer,
    cell: ({ subscription }) =>
      subscription ? (
        <Link to="/subscriptions/$id" params={{ id: subscription.lifeId }} className={rowLinkClass}>
          {subscription.customer.email}
        </Link>
      ) : (
        <span className="text-soft">{text.noSubscription}</span>
      ),
  },
  {
    header: text.plan,
    cell: ({ subscription }) => subscription?.plan.name ?? <span className="text-soft">–</span>,
  },
  {
    header: text.status,
    cell: ({ status }) => <Badge tone={TONES[status]}>{text.statuses[status]}</Badge>,
  },
  { header: text.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface UsesProps {
  readonly discount: DiscountDetail;
  readonly search: ListSearch;
  readonly onSearch: SearchChange<ListSearch>;
}

/** The uses of a discount, newest first. */
export function Uses({ discount: { id, code }, search, onSearch }: UsesProps) {
  const list = useList({
    document: USES,
    variables: { id },
    connectionOf: ({ discount }) => discount?.redemptions ?? NO_ROWS,
    live: ['subscription.'],
    search,
    onSearch,
  });
  return (
    <section className="min-w-0">
      <h2 className="font-semibold">{text.uses}</h2>
      <p className="mt-0.5 mb-3 text-soft">{text.usesHint}</p>
      <ListView
        list={list}
        label={text.uses}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="discount" title={text.noUses}>
            {code === null ? text.noUsesWithoutCode : text.noUsesWithCode(code)}
          </EmptyState>
        }
      />
    </section>
  );
}
