import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useId } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { usePlanOptions } from '../../../shared/api/plan-options.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Skeleton } from '../../../shared/components/skeleton.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { ONBOARDING_OPTIONS, OnboardingCard } from '../onboarding/card.tsx';
import { Feed } from './feed.tsx';
import { daysOf, mainToken, type Period } from './metrics.ts';
import { Numbers } from './numbers.tsx';
import { PROBLEMS_OPTIONS, Problems } from './problems.tsx';
import { Revenue } from './revenue.tsx';
import { RANGES } from './search.ts';
import { Upcoming } from './upcoming.tsx';

const METRICS = graphql(/* GraphQL */ `
  query MetricsOverview($from: String!, $to: String!, $planId: String) {
    metrics(from: $from, to: $to, planId: $planId) {
      days {
        day
        active
        pastDue
        new
        resumed
        churned
        failed
        mrr {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
        mrrMovement {
          mint
          new
          reactivation
          expansion
          contraction
          churn
          moved
        }
        collected {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
        failedByCode {
          code
          count
        }
      }
      total {
        new
        churnRate
        failed
        recovered
        expired
        collected {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
        refunded {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
        recoveredAmount {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
      }
      previous {
        days {
          active
          pastDue
          new
          mrr {
            mint
            amount
            asset {
              mint
              symbol
              decimals
            }
          }
          collected {
            mint
            amount
            asset {
              mint
              symbol
              decimals
            }
          }
        }
        total {
          new
          churnRate
          failed
          collected {
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
    }
  }
`);

// Loaded in parallel with the numbers, and rendered after them.
const CountCharts = lazy(() => import('./charts.tsx').then((file) => ({ default: file.CountCharts })));
const Conversion = lazy(() => import('./conversion.tsx').then((file) => ({ default: file.Conversion })));
const WAITING = <Skeleton className="h-96 w-full" />;

export const route = createLazyRoute('/app/')({ component: OverviewPage });

const api = getRouteApi('/app/');

function OverviewPage() {
  const { range = 30, plan } = api.useSearch();
  const variables = { ...daysOf(range, useBillingNow()), planId: plan ?? null };
  const { data, error, refetch } = useQuery(
    askOptions(METRICS, variables, { live: ['subscription.'], keepsPrevious: true }),
  );
  // The numbers wait for the cards above them, which would push them down when loaded.
  const isOpening = [useQuery(ONBOARDING_OPTIONS), useQuery(PROBLEMS_OPTIONS)].some(
    ({ isPending }) => isPending,
  );
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={<Choices range={range} plan={plan} />}
      queries={[{ document: METRICS, variables }]}
    >
      <OnboardingCard />
      <Problems />
      {isOpening && WAITING}
      <div hidden={isOpening}>
        {error && !data ? (
          <ErrorPanel error={error} onRetry={refetch} />
        ) : (
          <Metrics period={data?.metrics} range={range} />
        )}
      </div>
    </Page>
  );
}

const selectClass = 'min-h-8 rounded-md border border-edge bg-surface px-2 py-1 max-w-48';

function Choices({ range, plan }: { readonly range: number; readonly plan: string | undefined }) {
  const navigate = useNavigate({ from: '/' });
  const planId = useId();
  const plans = usePlanOptions(plan);
  return (
    <>
      {plans.length > 1 && (
        <>
          <label htmlFor={planId} className="sr-only">
            {text.plan}
          </label>
          <select
            id={planId}
            value={plan ?? ''}
            onChange={({ target }) =>
              void navigate({ search: (old) => ({ ...old, plan: target.value || undefined }) })
            }
            className={selectClass}
          >
            <option value="">{text.allPlans}</option>
            {plans.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </>
      )}
      <nav aria-label={text.range} className="flex gap-0.5 rounded-md bg-sunken p-0.5">
        {RANGES.map((choice) => (
          <Link
            key={choice}
            to="/"
            search={(old) => ({ ...old, range: choice })}
            aria-current={choice === range ? 'true' : undefined}
            className="rounded-sm px-2.5 py-1 whitespace-nowrap text-soft no-underline hover:text-ink aria-[current=true]:bg-surface aria-[current=true]:font-medium aria-[current=true]:text-ink aria-[current=true]:shadow-low"
          >
            {text.ranges[choice]}
          </Link>
        ))}
      </nav>
    </>
  );
}

interface MetricsProps {
  /** Undefined while it loads. */
  readonly period: Period | undefined;
  readonly range: number;
}

function Metrics({ period, range }: MetricsProps) {
  const days = period && [...period.previous.days, ...period.days];
  const token = days && mainToken(days);
  const hasData = !days || days.some((day) => day.new > 0 || day.active > 0 || day.pastDue > 0);
  if (!hasData) {
    return (
      <div className="grid gap-4">
        <NoSubscriptions />
        <Feed />
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <Revenue period={period} token={token} />
      <Numbers period={period} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Feed />
        <div className="grid min-w-0 gap-4">
          <Upcoming />
          <Suspense fallback={WAITING}>
            <Conversion range={range} />
          </Suspense>
        </div>
      </div>
      <Suspense fallback={WAITING}>
        <CountCharts period={period} token={token} />
      </Suspense>
    </div>
  );
}

/** Shown before the first subscription: the way to a plan, or to the checkout of one that exists. */
function NoSubscriptions() {
  const hasPlan = usePlanOptions().length > 0;
  return (
    <Card>
      <EmptyState
        icon="subscriptions"
        title={text.noData}
        actions={
          <Link to={hasPlan ? '/plans' : '/plans/new'} className={buttonClass('primary')}>
            {hasPlan ? text.openPlans : text.createPlan}
          </Link>
        }
      >
        {hasPlan ? text.noDataWithPlanHint : text.noDataHint}
      </EmptyState>
    </Card>
  );
}
