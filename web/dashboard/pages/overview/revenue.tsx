import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { Card } from '../../../shared/components/card.tsx';
import { Change } from '../../../shared/components/change.tsx';
import { Skeleton } from '../../../shared/components/skeleton.tsx';
import { BigAmount } from '../../../shared/money/amount.tsx';
import { formatAmount, type TokenAmount } from '../../../shared/money/token-amount.ts';
import { overview as text } from '../../../shared/text/overview.ts';
import { amountInToken, chartNumber, type MetricsDay, type Period } from './metrics.ts';

// Loaded in parallel with the numbers, which do not wait for it.
const MoneyChart = lazy(() => import('./charts.tsx').then((file) => ({ default: file.MoneyChart })));

interface RevenueProps {
  /** Undefined while it loads. */
  readonly now: Period | undefined;
  readonly before: Period | undefined;
  readonly token: TokenAmount | undefined;
}

/** The recurring and the collected revenue, each beside the previous period. */
export function Revenue({ now, before, token }: RevenueProps) {
  const periods = { now, before, token };
  const since = now?.days[0]?.day;
  const otherTokens = (now?.last?.mrr.length ?? 0) - 1;
  const refunded = now && token && amountInToken(now.refunded, token);
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <MoneyCard
        {...periods}
        title={text.mrr}
        label={text.mrrShort}
        description={text.mrrDefinition}
        total={({ last }) => last?.mrr ?? []}
        daily={({ mrr }) => mrr}
        beforeText={text.mrrBefore}
        note={otherTokens > 0 && text.otherTokens(otherTokens)}
        link={
          <Link to="/plans" className="text-accent">
            {text.viewPlans}
          </Link>
        }
      />
      <MoneyCard
        {...periods}
        title={text.collected}
        label={text.collected}
        description={text.collectedDefinition}
        total={({ collected }) => collected}
        daily={({ collected }) => collected}
        isDaily
        beforeText={text.collectedBefore}
        note={refunded && refunded.amount !== '0' && text.refunded(formatAmount(refunded))}
        link={
          <Link
            to="/payments"
            search={{ status: 'SUCCEEDED', ...(since && { from: since }) }}
            className="text-accent"
          >
            {text.view}
          </Link>
        }
      />
    </div>
  );
}

interface MoneyCardProps extends RevenueProps {
  readonly title: string;
  /** The name of the values in the chart. */
  readonly label: string;
  readonly description: string;
  readonly total: (period: Period) => readonly TokenAmount[];
  readonly daily: (day: MetricsDay) => readonly TokenAmount[];
  /** Whether the values are totals of a day, of which today's still grows. */
  readonly isDaily?: boolean;
  /** Says what the amount was in the previous period. */
  readonly beforeText: (amount: string, days: number) => string;
  readonly note: ReactNode;
  readonly link: ReactNode;
}

function MoneyCard(props: MoneyCardProps) {
  const { title, label, description, now, before, token, total, daily, isDaily = false } = props;
  const { beforeText, note, link } = props;
  const previous = before && token && amountInToken(total(before), token);
  return (
    <Card title={title} description={description} actions={link}>
      <p className="text-2xl leading-8 font-semibold tracking-tight tabular-nums">
        {!now ? (
          <Skeleton className="my-1 h-6 w-40" />
        ) : token ? (
          <BigAmount {...amountInToken(total(now), token)} />
        ) : (
          '0'
        )}
      </p>
      <p className="mt-1 mb-4 flex min-h-5 flex-wrap gap-x-2 text-soft tabular-nums">
        <Change
          now={now && chartNumber(total(now), token)}
          before={before && chartNumber(total(before), token)}
        />
        {previous && <span>{beforeText(formatAmount(previous), before.days.length)}</span>}
        {note && <span>{note}</span>}
      </p>
      <Suspense fallback={<Skeleton className="h-75 w-full" />}>
        <MoneyChart {...{ label, now, before, token, isDaily }} pick={daily} />
      </Suspense>
    </Card>
  );
}
