import { Link } from '@tanstack/react-router';
import type { OnboardingStepKind } from '../../../generated/graphql.ts';
import { pathIn } from '../../../shared/api/environment.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { onboarding as text } from '../../../shared/text/onboarding.ts';

const PATHS = {
  PROFILE: '/settings',
  PLAN_ACTIVE: '/plans/new',
  API_KEY: '/keys',
  WEBHOOK_DELIVERED: '/webhooks',
  PAYMENT: '/payments',
} as const;

interface StepActionProps {
  readonly step: OnboardingStepKind;
  /** A plan that can be sold. */
  readonly planId: string | undefined;
}

/** The link to the page on which a step is done. */
export function StepAction({ step, planId }: StepActionProps) {
  const label = text.steps[step].action;
  const className = buttonClass('primary');
  if (step === 'LIVE') {
    return (
      <a href={pathIn('live', '/plans')} className={className}>
        {label}
      </a>
    );
  }
  if (step === 'TEST_CHECKOUT') {
    return planId === undefined ? (
      <Link to="/plans" className={className}>
        {label}
      </Link>
    ) : (
      <Link to="/plans/$planId" params={{ planId }} className={className}>
        {text.openPlan}
      </Link>
    );
  }
  return (
    <Link to={PATHS[step]} className={className}>
      {label}
    </Link>
  );
}
