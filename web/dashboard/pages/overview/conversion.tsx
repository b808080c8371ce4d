import { useQuery } from '@tanstack/react-query';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { StackedBars } from '../../../shared/charts/stacked-bars.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { Skeleton } from '../../../shared/components/skeleton.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { formatDay } from './format-day.ts';
import { daysOf } from './metrics.ts';

const CONVERSION = graphql(/* GraphQL */ `
  query CheckoutConversion($from: String!, $to: String!) {
    checkoutConversion(from: $from, to: $to) {
      day
      created
      completed
      expired
    }
  }
`);

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** The outcomes of the checkouts that were opened in the period. */
export function Conversion({ range }: { readonly range: number }) {
  const { data, error, refetch } = useQuery(
    askOptions(CONVERSION, daysOf(range, useBillingNow()), {
      live: ['subscription.created'],
      keepsPrevious: true,
    }),
  );
  const days = data?.checkoutConversion;
  const sum = (pick: (day: NonNullable<typeof days>[number]) => number) =>
    (days ?? []).reduce((total, day) => total + pick(day), 0);
  const created = sum((day) => day.created);
  const completed = sum((day) => day.completed);
  return (
    <Card
      title={text.checkouts}
      description={
        created > 0
          ? text.conversion(completed, created, percent.format(completed / created))
          : days && text.noCheckout
      }
    >
      {error && !days ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : !days ? (
        <Skeleton className="h-68 w-full" />
      ) : (
        <StackedBars
          label={text.checkouts}
          unit={text.perDay(text.checkouts)}
          points={days.map(({ day }) => day)}
          formatPoint={formatDay}
          series={[
            {
              label: text.completed,
              values: days.map((day) => day.completed),
              fill: 'fill-chart-2',
              ground: 'bg-chart-2',
            },
            {
              label: text.stillOpen,
              values: days.map((day) => day.created - day.completed - day.expired),
              fill: 'fill-chart-1',
              ground: 'bg-chart-1',
            },
            {
              label: text.abandoned,
              values: days.map((day) => day.expired),
              fill: 'fill-ghost',
              ground: 'bg-ghost',
            },
          ]}
        />
      )}
    </Card>
  );
}
