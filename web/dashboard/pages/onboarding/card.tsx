import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { Progress } from '../../../shared/components/progress.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { onboarding as text } from '../../../shared/text/onboarding.ts';
import { ONBOARDING, ONBOARDING_EVENTS, progressOf } from './steps.ts';

const DISMISS = graphql(/* GraphQL */ `
  mutation DismissOnboarding {
    dismissOnboarding {
      dismissedAt
    }
  }
`);

/** The query of the card. */
export const ONBOARDING_OPTIONS = askOptions(ONBOARDING, {}, { live: ONBOARDING_EVENTS });

/** The next setup step, on the overview until all are done or a member dismisses it. */
export function OnboardingCard() {
  const toast = useToast();
  const { data } = useQuery(ONBOARDING_OPTIONS);
  const dismiss = useChange(DISMISS, { onDone: () => toast(text.dismissed) });
  if (!data || data.onboarding.dismissedAt) return null;
  const { done, all, next } = progressOf(data.onboarding.steps);
  if (!next) return null;
  const { title, hint } = text.steps[next];
  return (
    <section
      aria-label={text.cardTitle}
      className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-4 shadow-low"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex items-center gap-2 text-xs text-soft tabular-nums">
          <Progress label={text.cardTitle} value={done} max={all} />
          {text.progress(done, all)}
        </p>
        <p className="mt-1.5">
          <span className="font-semibold">
            {text.next}: {title}.
          </span>{' '}
          <span className="text-soft">{hint.replace(/[^.]*:$/, '')}</span>
        </p>
      </div>
      <div className="flex gap-2">
        <WriteButton
          kind="plain"
          busy={dismiss.isPending}
          title={text.dismissTitle}
          onClick={() => dismiss.mutate({})}
        >
          {text.dismiss}
        </WriteButton>
        <Link to="/onboarding" className={buttonClass()}>
          {text.showAll}
        </Link>
      </div>
    </section>
  );
}
