import type { OnboardingStepsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';

export const ONBOARDING = graphql(/* GraphQL */ `
  query OnboardingSteps {
    onboarding {
      dismissedAt
      steps {
        step
        doneAt
      }
    }
  }
`);

/** The steps are refetched after these events. */
export const ONBOARDING_EVENTS = ['subscription.'] as const;

type Step = OnboardingStepsQuery['onboarding']['steps'][number];

/** The number of steps that are done, and the next one. */
export function progressOf(steps: readonly Step[]) {
  const done = steps.filter(({ doneAt }) => doneAt !== null).length;
  return { done, all: steps.length, next: steps.find(({ doneAt }) => doneAt === null)?.step };
}
