import { INTERVAL_SECONDS, type NamedInterval } from '../../../domain/catalog/money/interval.ts';
import { createPlan, type PlanToPublish } from '../../../domain/catalog/plan/create-plan.ts';
import { invalidRequest } from '../../../errors.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Plan, RetryPolicyRef } from '../types/plan.ts';
import { FeatureInput } from '../types/plan-feature.ts';

export const PlanToPublishRef = builder.objectRef<PlanToPublish>('PlanToPublish').implement({
  description: 'A plan, and a transaction that publishes or changes it on chain.',
  requires: null,
  fields: (t) => ({
    plan: t.expose('plan', {
      type: Plan,
      description:
        'The plan before the transaction. A draft becomes ACTIVE when its account is seen on chain.',
    }),
    transaction: t.exposeString('transaction', {
      description:
        "Unsigned transaction in base64. The merchant's wallet must sign and send it within about a minute. After that, request a new one; `publishPlanTransaction` creates one for a draft.",
    }),
  }),
});

const NamedIntervalRef = builder.enumType('NamedInterval', {
  description: 'An interval of a plan with a name. Twelve months are exactly a year.',
  values: {
    MONTH: { description: '730 hours, 2628000 seconds.' },
    QUARTER: { description: '2190 hours, 7884000 seconds.' },
    YEAR: { description: '8760 hours, 31536000 seconds, which is 365 days.' },
  } satisfies Record<NamedInterval, { description: string }>,
});

const CreatePlanInput = builder.inputType('CreatePlanInput', {
  description: 'The texts and terms of a plan. The terms never change.',
  fields: (t) => ({
    planId: t.string({
      required: true,
      description: "The merchant's own id of the plan, unique among the plans of the environment.",
    }),
    name: t.string({ required: true, description: 'Name shown to customers.' }),
    description: t.string({ description: 'Text shown to customers.' }),
    imageUrl: t.string({ description: 'An https URL of a picture shown to customers.' }),
    amount: t.field({
      type: 'TokenAmount',
      required: true,
      description: 'Price of one interval, in base units of the mint.',
    }),
    maxAmount: t.field({
      type: 'TokenAmount',
      description:
        "The limit: the most that can be collected in one interval, in base units of the mint; at least `amount`, which is the default. The customer's wallet shows it, and later prices of the plan are at most this much.",
    }),
    interval: t.int({
      description: 'Billing interval in seconds: 1 to 8760 whole hours. Give either this or `namedInterval`.',
    }),
    namedInterval: t.field({
      type: NamedIntervalRef,
      description: 'Billing interval by name. Give either this or `interval`.',
    }),
    trialPeriodSeconds: t.int({
      description: 'Seconds before the first payment, in whole hours; default 0.',
    }),
    maxPausedPeriods: t.int({
      description:
        'The most periods for which customers may pause in the portal, from 0 (not at all, the default) to 12.',
    }),
    mint: t.string({ description: 'Mint of the payment token, base58; default USDC.' }),
    features: t.field({
      type: [FeatureInput],
      description: 'What its subscribers may use, at most 50 features; default none.',
    }),
    graceSeconds: t.int({
      description:
        'Seconds from the due date of a failed payment for which a subscription still gives access after its last retry, 0 to 31536000; default the setting of the environment.',
    }),
    retryPolicy: t.field({
      type: RetryPolicyRef,
      description: 'How failed payments are retried; default QUICK.',
    }),
    collectWithinSeconds: t.int({
      description:
        'Seconds after a due date within which each of its payments is first attempted, from 0 (at once, the default) to 3600, and at most a tenth of the interval.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createPlan: t.field({
    type: PlanToPublishRef,
    args: { input: t.arg({ type: CreatePlanInput, required: true, description: 'The plan.' }) },
    description:
      'Creates a draft of a plan and the transaction that publishes it. Errors: `authentication_error`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { input }, context) =>
      createPlan(context.app, actingScopeOf(context), {
        planId: input.planId,
        name: input.name,
        description: input.description ?? undefined,
        imageUrl: input.imageUrl ?? undefined,
        amount: input.amount,
        maxAmount: input.maxAmount ?? undefined,
        intervalSeconds: intervalOf(input),
        trialPeriodSeconds: input.trialPeriodSeconds ?? undefined,
        maxPausedPeriods: input.maxPausedPeriods ?? undefined,
        mint: input.mint ?? undefined,
        features: input.features ?? undefined,
        graceSeconds: input.graceSeconds ?? undefined,
        retryPolicy: input.retryPolicy ?? undefined,
        collectWithinSeconds: input.collectWithinSeconds ?? undefined,
      }),
  }),
}));

/** @throws BillingError invalid_request, param `interval`, unless exactly one of the two is given */
function intervalOf({
  interval,
  namedInterval,
}: {
  readonly interval?: number | null | undefined;
  readonly namedInterval?: NamedInterval | null | undefined;
}): number {
  const named = namedInterval ? INTERVAL_SECONDS[namedInterval] : undefined;
  const seconds = named ?? interval;
  if (typeof seconds !== 'number' || (named && typeof interval === 'number')) {
    throw invalidRequest(
      'interval',
      'Give either interval, in seconds, or namedInterval: MONTH, QUARTER or YEAR.',
    );
  }
  return seconds;
}
