import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UpcomingChargesQuery, UpcomingShortQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { Amounts } from '../../../shared/money/amount.tsx';
import { sumByToken } from '../../../shared/money/token-amount.ts';
import { overview as text } from '../../../shared/text/overview.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { formatDay } from './format-day.ts';
import { dayIn, dueWithin, SPANS } from './upcoming-charges.ts';

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
    }
  }
`);

const SHORT = graphql(/* GraphQL */ `
  query UpcomingShort($until: String!) {
    upcomingCharges(until: $until) {
      day
      short
      shortChecked
    }
  }
`);

const NEXT = graphql(/* GraphQL */ `
  query NextPayment {
    subscriptionsConnection(first: 1, orderBy: NEXT_PAYMENT) {
      edges {
        node {
          nextPaymentAt
        }
      }
    }
  }
`);

/** The events after which other payments are due. */
const LIVE = ['subscription.'];
const POLL_INTERVAL_MS = 60_000;

/** The API checks the wallets of at most so many subscriptions. */
const MAX_CHECKED = 500;

const number = new Intl.NumberFormat();

/** The payments that are due in the next days, and how many of the wallets could not pay now. */
export function Upcoming() {
  const now = useBillingNow();
  const until = dayIn(30, now);
  const { data, error, refetch } = useQuery(
    askOptions(UPCOMING, { until }, { live: LIVE, keepsPrevious: true }),
  );
  // The API reads wallets for this query and keeps their state for a minute, so events do not
  // refetch it.
  const { data: checked } = useQuery({
    ...askOptions(SHORT, { until }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL_MS,
  });
  const charges = data?.upcomingCharges;
  const checkedWallets = sum((checked?.upcomingCharges ?? []).map((day) => day.shortChecked));
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
        <NothingUpcoming />
      ) : (
        <dl className="grid divide-y divide-line">
          {forecastsOf(charges, checked?.upcomingCharges ?? [], now).map(({ label, due, wallets }) => {
            const short = sum(wallets.map((part) => part.short));
            const all = sum(wallets.map((part) => part.shortChecked));
            return (
              <div key={label} className="grid grid-cols-2 gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0">
                <dt className="font-medium">{label}</dt>
                <dd className="text-right font-medium">
                  <Amounts amounts={sumByToken(due.map(({ amount }) => amount))} />
                </dd>
                <dd className="text-soft tabular-nums">{text.charges(sum(due.map(({ count }) => count)))}</dd>
                <dd className={`text-right ${short > 0 ? 'text-warn' : 'text-soft'}`}>
                  {all > 0 && (short > 0 ? text.short(short, all) : text.noneShort)}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      {checkedWallets >= MAX_CHECKED && (
        <p className="mt-3 text-xs text-soft">{text.shortHint(number.format(MAX_CHECKED))}</p>
      )}
    </Card>
  );
}

type Charge = UpcomingChargesQuery['upcomingCharges'][number];
type CheckedDay = UpcomingShortQuery['upcomingCharges'][number];

interface Forecast {
  readonly label: string;
  readonly due: readonly Charge[];
  readonly wallets: readonly CheckedDay[];
}

/** The next day with a payment, and the next days. */
function forecastsOf(
  charges: readonly Charge[],
  checked: readonly CheckedDay[],
  now: Date,
): readonly Forecast[] {
  const next = charges.map(({ day }) => day).toSorted()[0] ?? '';
  const isNext = ({ day }: { readonly day: string }) => day === next;
  return [
    { label: text.nextDay(formatDay(next)), due: charges.filter(isNext), wallets: checked.filter(isNext) },
    ...SPANS.map((days) => ({
      label: text.within[days],
      due: dueWithin(charges, days, now),
      wallets: dueWithin(checked, days, now),
    })),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Says when the next payment is due if none is in the forecast. */
function NothingUpcoming() {
  const { data } = useQuery(askOptions(NEXT, {}, { live: LIVE }));
  const next = data?.subscriptionsConnection.edges[0]?.node.nextPaymentAt;
  return (
    <p className="text-soft">
      {text.nothingUpcoming}{' '}
      {next && (
        <>
          {text.nextUpcoming} <DateOnly at={next} />.
        </>
      )}
    </p>
  );
}
