import {
  getOnboarding,
  ONBOARDING_STEPS,
  type OnboardingStepName,
  type OnboardingStep as Step,
  type Onboarding as Steps,
} from '../../../domain/accounts/merchant/onboarding.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';

const DESCRIPTIONS: Readonly<Record<OnboardingStepName, string>> = {
  PROFILE: 'The profile has a logo or a support address.',
  PLAN_ACTIVE: 'A plan was published.',
  API_KEY: 'An API key was created.',
  WEBHOOK_DELIVERED: 'An endpoint answered a webhook with a status of 200 to 299.',
  TEST_CHECKOUT: 'A customer subscribed in TEST.',
  PAYMENT: 'A payment was collected.',
  LIVE: 'A plan was published in LIVE.',
};

const OnboardingStepKind = builder.enumType('OnboardingStepKind', {
  description: 'One of the first steps of a new merchant.',
  values: Object.fromEntries(
    ONBOARDING_STEPS.map((step) => [step, { description: DESCRIPTIONS[step] }]),
  ) as Record<OnboardingStepName, { description: string }>,
});

const OnboardingStep = builder.objectRef<Step>('OnboardingStep').implement({
  description: 'One of the first steps, and when it was done.',
  fields: (t) => ({
    step: t.expose('step', { type: OnboardingStepKind, description: 'The step.' }),
    doneAt: t.expose('doneAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the step was first done, in either environment; null if it was not. WEBHOOK_DELIVERED looks only at deliveries that are still kept.',
    }),
  }),
});

export const Onboarding = builder.objectRef<Steps>('Onboarding').implement({
  description: 'List of the first steps of a merchant.',
  fields: (t) => ({
    steps: t.expose('steps', {
      type: [OnboardingStep],
      description:
        'The steps in their order. TEST_CHECKOUT is left out if the service has no TEST environment, LIVE if it has no LIVE environment.',
    }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a member closed the list in the dashboard; null if nobody did.',
    }),
  }),
});

builder.queryFields((t) => ({
  onboarding: t.field({
    type: Onboarding,
    description:
      "The merchant's first steps, in both environments together. Needs a signed-in member; an API key is refused. Errors: `authentication_error`.",
    resolve: (_root, _args, context) => getOnboarding(context.app, memberOf(context).merchantId),
  }),
}));
