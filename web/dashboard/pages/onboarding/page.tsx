import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { OnboardingStepKind } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Progress } from '../../../shared/components/progress.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { onboarding as text } from '../../../shared/text/onboarding.ts';
import { checkoutSamples, keySamples, type Sample, WEBHOOK_SAMPLES } from '../../../shared/text/samples.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { StepAction } from './step-action.tsx';
import { ONBOARDING, ONBOARDING_EVENTS, progressOf } from './steps.ts';

const SOLD_PLAN = graphql(/* GraphQL */ `
  query SoldPlan {
    plans(first: 1, status: ACTIVE) {
      edges {
        node {
          planId
        }
      }
    }
  }
`);

export const route = createLazyRoute('/app/onboarding')({ component: OnboardingPage });

function OnboardingPage() {
  const { data, error, refetch } = useQuery(askOptions(ONBOARDING, {}, { live: ONBOARDING_EVENTS }));
  const { data: sold } = useQuery(askOptions(SOLD_PLAN, {}));
  const planId = sold?.plans.edges[0]?.node.planId;
  const steps = data?.onboarding.steps ?? [];
  const { done, all, next } = progressOf(steps);
  return (
    <Page
      title={text.title}
      description={text.description}
      queries={[{ document: ONBOARDING, variables: {} }]}
      actions={
        all > 0 && (
          <span className="flex items-center gap-2 text-soft tabular-nums">
            <Progress label={text.title} value={done} max={all} />
            {text.progress(done, all)}
          </span>
        )
      }
    >
      {!data && (error ? <ErrorPanel error={error} onRetry={refetch} /> : <SkeletonRows />)}
      {data && !next && (
        <div className="mb-4 rounded-lg border border-line bg-surface">
          <EmptyState
            icon="check"
            title={text.allDone}
            actions={
              <Link to="/" className={buttonClass('primary')}>
                {text.overview}
              </Link>
            }
          >
            {steps.some(({ step }) => step === 'LIVE') ? text.allDoneHint.live : text.allDoneHint.test}
          </EmptyState>
        </div>
      )}
      {data && (
        <ol className="grid divide-y divide-line rounded-lg border border-line bg-surface shadow-low">
          {steps.map(({ step, doneAt }, index) => (
            <li key={step}>
              <details open={step === next} className="group">
                <summary className="flex items-center gap-3 px-4 py-3 -outline-offset-2 [&::-webkit-details-marker]:hidden">
                  <StepMark index={index} isDone={doneAt !== null} isNext={step === next} />
                  <h2 className={`min-w-0 flex-1 ${step === next ? 'font-semibold' : 'font-medium'}`}>
                    {text.steps[step].title}
                  </h2>
                  {doneAt && (
                    <span className="text-xs text-soft max-sm:sr-only">
                      {text.done} <DateOnly at={doneAt} />
                    </span>
                  )}
                  <Icon
                    name="chevronDown"
                    className="size-4 text-soft transition-transform group-open:rotate-180"
                  />
                </summary>
                <div className="grid justify-items-start gap-3 px-4 pb-5 sm:pl-13">
                  <p className="max-w-2xl text-soft">{text.steps[step].hint}</p>
                  <div className="w-full max-w-3xl empty:hidden">
                    <CodeSample samples={samplesOf(step, planId)} />
                  </div>
                  <StepAction step={step} planId={planId} />
                </div>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Page>
  );
}

interface StepMarkProps {
  readonly index: number;
  readonly isDone: boolean;
  readonly isNext: boolean;
}

function StepMark({ index, isDone, isNext }: StepMarkProps) {
  const colors = isDone
    ? 'bg-good-ground text-good'
    : isNext
      ? 'bg-accent text-on-accent'
      : 'bg-sunken text-soft';
  return (
    <span
      className={`grid size-6 shrink-0 place-items-center rounded-full text-xs font-medium tabular-nums ${colors}`}
    >
      {isDone ? <Icon name="check" className="size-3.5" /> : index + 1}
    </span>
  );
}

/** The code samples of a step for the merchant's backend. */
function samplesOf(step: OnboardingStepKind, planId = 'pro-monthly'): readonly Sample[] {
  if (step === 'API_KEY') return keySamples('sk_...');
  if (step === 'WEBHOOK_DELIVERED') return WEBHOOK_SAMPLES;
  if (step === 'TEST_CHECKOUT') return checkoutSamples(planId);
  return [];
}
