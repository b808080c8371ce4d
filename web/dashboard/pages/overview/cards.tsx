import { Link } from '@tanstack/react-router';
import { StatCard } from '../../../shared/components/stat-card.tsx';
import { BigAmount, formatAmount, type TokenAmount } from '../../../shared/money/amount.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { amountInToken, chartNumber, type MetricsDay, type Period } from './metrics.ts';

interface CardsProps {
  /** Undefined while it loads. */
  readonly now: Period | undefined;
  readonly before: Period | undefined;
  readonly token: TokenAmount | undefined;
}

const count = (value: number) => new Intl.NumberFormat().format(value);
const rate = (value: number | undefined) =>
  value === undefined
    ? '–'
    : new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(value);

const linkClass = 'text-accent';

/** The numbers of the period, each with its change since the previous period. */
export function Cards({ now, before, token }: CardsProps) {
  const line = (pick: (day: MetricsDay) => number) => now?.days.map(pick) ?? [];
  const compare = (pick: (period: Period) => number | undefined) => {
    const [value, previous] = [now && pick(now), before && pick(before)];
    return {
      ...(value !== undefined && { now: value }),
      ...(previous !== undefined && { before: previous }),
    };
  };
  const money = (pick: (period: Period) => readonly TokenAmount[]) => ({
    value: now && (token ? <BigAmount {...amountInToken(pick(now), token)} /> : '0'),
    ...compare((period) => chartNumber(pick(period), token)),
  });
  const since = now?.days[0]?.day;
  const recoveredLink = (
    <Link
      to="/payments"
      search={{ status: 'SUCCEEDED', failure: 'INSUFFICIENT_FUNDS', ...(since && { from: since }) }}
      className={linkClass}
    >
      {text.viewRecovered}
    </Link>
  );
  const refunded = now && token && amountInToken(now.refunded, token);
  const otherTokens = (now?.last?.mrr.length ?? 0) - 1;
  return (
    <div className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1 sm:gap-4 xl:grid-cols-4">
      <StatCard
        label={text.mrrShort}
        definition={text.mrrDefinition}
        {...money(({ last }) => last?.mrr ?? [])}
        values={line((day) => chartNumber(day.mrr, token))}
        link={
          <span>
            {otherTokens > 0 && <span className="mr-2 text-soft">{text.otherTokens(otherTokens)}</span>}
            <Link to="/plans" className={linkClass}>
              {text.viewPlans}
            </Link>
          </span>
        }
      />
      <StatCard
        label={text.collected}
        definition={text.collectedDefinition}
        {...money((period) => period.collected)}
        values={line((day) => chartNumber(day.collected, token))}
        link={
          <span>
            {refunded && refunded.amount !== '0' && (
              <span className="mr-2 text-soft">{text.refunded(formatAmount(refunded))}</span>
            )}
            <Link
              to="/payments"
              search={{ status: 'SUCCEEDED', ...(since && { from: since }) }}
              className={linkClass}
            >
              {text.view}
            </Link>
          </span>
        }
      />
      <StatCard
        label={text.active}
        definition={text.activeDefinition}
        value={now && count(now.last?.active ?? 0)}
        values={line((day) => day.active)}
        {...compare(({ last }) => last?.active ?? 0)}
        link={
          <Link to="/subscriptions" search={{ status: 'ACTIVE' }} className={linkClass}>
            {text.view}
          </Link>
        }
      />
      <StatCard
        label={text.newTitle}
        definition={text.newDefinition}
        value={now && count(now.new)}
        values={line((day) => day.new)}
        {...compare((period) => period.new)}
        link={
          <Link to="/subscriptions" search={since ? { from: since } : {}} className={linkClass}>
            {text.view}
          </Link>
        }
      />
      <StatCard
        label={text.churnRate}
        definition={text.churnDefinition}
        value={now && rate(now.churnRate)}
        values={line((day) => day.churned)}
        isIncreaseBad
        {...compare((period) => period.churnRate)}
        link={
          <Link to="/subscriptions" search={{ status: 'CANCELLED' }} className={linkClass}>
            {text.viewCancelled}
          </Link>
        }
      />
      <StatCard
        label={text.failed}
        definition={text.failedDefinition}
        value={now && count(now.failed)}
        values={line((day) => day.failed)}
        isIncreaseBad
        {...compare((period) => period.failed)}
        link={
          <Link to="/subscriptions" search={{ status: 'PAST_DUE' }} className={linkClass}>
            {text.viewPastDue}
          </Link>
        }
      />
      <StatCard
        label={text.recoveryRate}
        definition={text.recoveryDefinition}
        value={now && rate(now.recoveryRate)}
        values={line((day) => day.recovered)}
        {...compare((period) => period.recoveryRate)}
        link={recoveredLink}
      />
      <StatCard
        label={text.recoveredAmount}
        definition={text.recoveredAmountDefinition}
        {...money((period) => period.recoveredAmount)}
        values={line((day) => chartNumber(day.recoveredAmount, token))}
        link={recoveredLink}
      />
    </div>
  );
}
