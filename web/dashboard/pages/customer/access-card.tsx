import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CustomerAccessQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { access as text } from '../../../shared/text/customers.ts';
import { Time } from '../../../shared/time/time.tsx';
import type { CustomerDetail } from './customer-detail.ts';

export const CUSTOMER_ACCESS = graphql(/* GraphQL */ `
  query CustomerAccess($customerId: String!) {
    customerState(customerId: $customerId) {
      hasAccess
      features {
        key
        limit
      }
      subscriptions {
        subscriptionId
        planId
        hasAccess
        until
        reason
        startedAt
      }
    }
  }
`);

type State = CustomerAccessQuery['customerState'];

/** The id by which the state of a customer is asked for. */
export const stateIdOf = ({ customerId, id }: CustomerDetail) => customerId ?? id;

/** What the customer may do now, until when, and by which subscription. */
export function AccessCard({ customer }: { readonly customer: CustomerDetail }) {
  const variables = { customerId: stateIdOf(customer) };
  const { data, error, refetch } = useQuery(askOptions(CUSTOMER_ACCESS, variables, { live: ['customer.'] }));
  return (
    <div className="mb-4">
      <Loaded thing={data?.customerState} error={error} onRetry={refetch}>
        {(state) => <Access state={state} />}
      </Loaded>
    </div>
  );
}

function Access({ state }: { readonly state: State }) {
  const { hasAccess, features, subscriptions } = state;
  const until = endOf(state);
  return (
    <Card title={text.title} description={text.hint}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={hasAccess ? 'good' : 'bad'}>{hasAccess ? text.yes : text.no}</Badge>
        {until && (
          <span>
            {text.until} <Time at={until} />
          </span>
        )}
        {subscriptions.length === 0 && <span className="text-soft">{text.never}</span>}
      </p>
      {features.length > 0 && (
        <ul aria-label={text.features} className="mt-3 flex flex-wrap gap-1.5">
          {features.map(({ key, limit }) => (
            <li key={key} className="rounded-sm bg-sunken px-1.5 py-px text-xs leading-5 wrap-anywhere">
              <code className="font-mono">{key}</code>
              {limit !== null && <span className="text-soft"> {text.atMost(limit)}</span>}
            </li>
          ))}
        </ul>
      )}
      {subscriptions.length > 0 && (
        <ul aria-label={text.subscriptions} className="mt-3 divide-y divide-line border-t border-line">
          {subscriptions.map(({ subscriptionId, startedAt, planId, reason, ...access }) => (
            <li
              key={subscriptionId + startedAt}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 last:pb-0"
            >
              <span className="min-w-0 grow basis-48">
                <Link to="/plans/$planId" params={{ planId }} className="font-medium wrap-anywhere">
                  {planId}
                </Link>
                <span className="block text-xs text-soft">
                  {text.reasons[reason]}
                  {access.until && (
                    <>
                      {text.accessUntil}
                      <Time at={access.until} />
                    </>
                  )}
                </span>
              </span>
              <Badge tone={access.hasAccess ? 'good' : 'neutral'}>
                {access.hasAccess ? text.givesAccess : text.givesNone}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The time at which the last access ends if nothing changes; undefined if no end is known. */
function endOf({ subscriptions }: State): string | undefined {
  const giving = subscriptions.filter(({ hasAccess }) => hasAccess);
  const ends = giving.flatMap(({ until }) => until ?? []);
  return ends.length === giving.length ? ends.sort().at(-1) : undefined;
}
