import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { Card } from '../../../shared/components/card.tsx';
import { Change } from '../../../shared/components/change.tsx';
import { Skeleton } from '../../../shared/components/skeleton.tsx';
import { BigAmount } from '../../../shared/money/amount.tsx';
import { formatAmount, type TokenAmount } from '../../../shared/money/token-amount.ts';
import { overview as text } from '../../../shared/text/overview.ts';
import { amountInToken, chartNumber, type MoneyDay, type Period, type PreviousPeriod } from './metrics.ts';

// Loaded in parallel with the numbers, which do not wait for it.
const MoneyChart = lazy(() => import('./charts.tsx').then((file) => ({ default: file.MoneyChart })));

interface RevenueProps {
  /** Undefined while it loads. */
  readonly period: Period | undefined;
  readonly token: TokenAmount | undefined;
}

/** The recurring and the collected revenue, each beside the previous period. */
export function Revenue({ period, token }: RevenueProps) {
  const since = period?.days[0]?.day;
  const otherTokens = (period?.days.at(-1)?.mrr.length ?? 0) - 1;
  const refunded = period && token && amountInToken(period.total.refunded, token);
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <MoneyCard
        period={period}
        token={token}
        title={text.mrr}
        label={text.mrrShort}
        description={text.mrrDefinition}
        total={({ days }) => days.at(-1)?.mrr ?? []}
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
        period={period}
        token={token}
        title={text.collected}
        label={text.collected}
        description={text.collectedDefinition}
        total={({ total }) => total.collected}
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
  readonly total: (period: Period | PreviousPeriod) => readonly TokenAmount[];
  readonly daily: (day: MoneyDay) => readonly TokenAmount[];
  /** Whether the values are totals of a day, of which today's still grows. */
  readonly isDaily?: boolean;
  /** Says what the amount was in the previous period. */
  readonly beforeText: (amount: string, days: number) => string;
  readonly note: ReactNode;
  readonly link: ReactNode;
}

function MoneyCard(props: MoneyCardProps) {
  const { title, label, description, period, token, total, daily, isDaily = false } = props;
  const { beforeText, note, link } = props;
  const before = period?.previous;
  const previous = before && token && amountInToken(total(before), token);
  return (
    <Card title={title} description={description} actions={link}>
      <p className="text-2xl leading-8 font-semibold tracking-tight tabular-nums">
        {!period ? (
          <Skeleton className="my-1 h-6 w-40" />
        ) : token ? (
          <BigAmount {...amountInToken(total(period), token)} />
        ) : (
          '0'
        )}
      </p>
      <p className="mt-1 mb-4 flex min-h-5 flex-wrap gap-x-2 text-soft tabular-nums">
        <Change
          now={period && chartNumber(total(period), token)}
          before={before && chartNumber(total(before), token)}
        />
        {previous && <span>{beforeText(formatAmount(previous), before.days.length)}</span>}
        {note && <span>{note}</span>}
      </p>
      <Suspense fallback={<Skeleton className="h-75 w-full" />}>
        <MoneyChart label={label} period={period} token={token} isDaily={isDaily} pick={daily} />
      </Suspense>
    </Card>
  );
}
