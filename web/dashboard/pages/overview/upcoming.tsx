import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { Amounts } from '../../../shared/money/amount.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { chargesWithin, lastDayOf, SPANS } from './upcoming-charges.ts';

const UPCOMING = graphql(/* GraphQL */ `
  query UpcomingCharges($until: String!) {
    upcomingCharges(until: $until) {
      day
      count
      amount {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
      short
      shortChecked
    }
  }
`);

const POLL_INTERVAL_MS = 60_000;

const number = new Intl.NumberFormat();

/** The payments that are due in the next days, and how many of the wallets could not pay now. */
export function Upcoming() {
  const now = useBillingNow();
  // The API reads wallets for this query and keeps their state for a minute, so events do not
  // refetch it.
  const { data, error, refetch } = useQuery({
    ...askOptions(UPCOMING, { until: lastDayOf(30, now) }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL_MS,
  });
  const charges = data?.upcomingCharges;
  return (
    <Card
      title={text.upcoming}
      description={text.upcomingHint}
      actions={
        <Link to="/subscriptions" search={{ order: 'NEXT_PAYMENT' }} className="text-accent">
          {text.view}
        </Link>
      }
    >
      {error && !charges ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : !charges ? (
        <SkeletonRows rows={3} />
      ) : charges.length === 0 ? (
        <p className="text-soft">{text.nothingUpcoming}</p>
      ) : (
        <dl className="grid divide-y divide-line">
          {SPANS.map((days) => {
            const { count, amounts, short, checked } = chargesWithin(charges, lastDayOf(days, now));
            return (
              <div key={days} className="grid grid-cols-2 gap-x-4 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-4">
                <dt className="font-medium">{text.within[days]}</dt>
                <dd className="text-right tabular-nums sm:text-left">{text.charges(count)}</dd>
                <dd className="sm:text-right">{count > 0 && <Amounts amounts={amounts} />}</dd>
                <dd className={`text-right ${short > 0 ? 'text-warn' : 'text-soft'}`}>
                  {checked > 0 && (short > 0 ? text.short(short, checked) : text.noneShort)}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      <p className="mt-3 text-xs text-soft">{text.shortHint(number.format(500))}</p>
    </Card>
  );
}
