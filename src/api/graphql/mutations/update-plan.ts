import { updatePlan } from '../../../domain/catalog/plan/update-plan.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Plan, RetryPolicyRef } from '../types/plan.ts';
import { FeatureInput } from '../types/plan-feature.ts';

const UpdatePlanInput = builder.inputType('UpdatePlanInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Name shown to customers, 1 to 200 characters.' }),
    description: t.string({
      description: 'Text shown to customers, at most 2000 characters; null removes it.',
    }),
    imageUrl: t.string({ description: 'URL of a picture shown to customers, with https; null removes it.' }),
    features: t.field({
      type: [FeatureInput],
      description:
        'All features of the plan, at most 50. They reach its running subscribers at once; `previewFeatures` says how many.',
    }),
    graceSeconds: t.int({
      description:
        'Seconds from the due date of a failed payment for which a subscription still gives access after its last retry, 0 to 31536000; null for the setting of the environment. It applies to payments that fail for the last time later.',
    }),
    retryPolicy: t.field({
      type: RetryPolicyRef,
      description: 'How failed payments are retried. It applies from the next failure on.',
    }),
    maxPausedPeriods: t.int({
      description: 'The most periods for which customers may pause in the portal, from 0 (not at all) to 12.',
    }),
    collectWithinSeconds: t.int({
      description:
        'Seconds after a due date within which each of its payments is first attempted, from 0 (at once) to 3600, and at most a tenth of the interval. It applies to due dates that are set later, after the next payment of a running subscription.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updatePlan: t.field({
    type: Plan,
    args: {
      planId: t.arg.string({ required: true, description: "The merchant's id of the plan." }),
      input: t.arg({ type: UpdatePlanInput, required: true, description: 'The fields to change.' }),
    },
    description:
      'Changes the texts, the picture, the features, the grace and the retries of a plan, how long its customers may pause, and the time over which its payments are spread. The terms are on chain and cannot change. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { planId, input }, context) =>
      updatePlan(context.app, actingScopeOf(context), planId, {
        ...input,
        name: input.name ?? undefined,
        features: input.features ?? undefined,
        retryPolicy: input.retryPolicy ?? undefined,
        maxPausedPeriods: input.maxPausedPeriods ?? undefined,
        collectWithinSeconds: input.collectWithinSeconds ?? undefined,
      }),
  }),
}));
