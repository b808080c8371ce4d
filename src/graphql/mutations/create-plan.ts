import { createPlan, type PlanToPublish } from '../../domain/plan/create-plan.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { Plan } from '../types/plan.ts';

export const PlanToPublishRef = builder.objectRef<PlanToPublish>('PlanToPublish').implement({
  description: "A draft, and what the merchant's wallet has to sign to publish it.",
  fields: (t) => ({
    plan: t.expose('plan', {
      type: Plan,
      description: 'The draft; it turns ACTIVE when its account is seen on chain.',
    }),
    transaction: t.exposeString('transaction', {
      description:
        'Unsigned transaction in base64, to be signed and sent by the merchant wallet within a minute; `publishPlanTransaction` makes another.',
    }),
  }),
});

const CreatePlanInput = builder.inputType('CreatePlanInput', {
  description: 'The terms of a plan, which never change.',
  fields: (t) => ({
    planId: t.string({ required: true, description: "The merchant's own id, unique among its plans." }),
    name: t.string({ required: true, description: 'Name shown to customers.' }),
    description: t.string({ description: 'Text shown to customers.' }),
    amount: t.field({
      type: 'TokenAmount',
      required: true,
      description: 'Price of one interval, in base units of the mint.',
    }),
    interval: t.int({
      required: true,
      description: 'Billing interval in seconds: whole hours, 1 to 8760 of them.',
    }),
    trialPeriodSeconds: t.int({
      description: 'Seconds before the first payment, in whole hours; default 0.',
    }),
    mint: t.string({ description: 'Mint of the token to be paid in, base58; default USDC.' }),
  }),
});

builder.mutationFields((t) => ({
  createPlan: t.field({
    type: PlanToPublishRef,
    args: { input: t.arg({ type: CreatePlanInput, required: true, description: 'Its terms.' }) },
    description:
      'Stores a draft and answers with the transaction that publishes it. Errors: `authentication_error`; `invalid_request`, param as in the input.',
    resolve: (_root, { input }, context) =>
      createPlan(context.app, actingScopeOf(context), {
        planId: input.planId,
        name: input.name,
        description: input.description ?? undefined,
        amount: input.amount,
        intervalSeconds: input.interval,
        trialPeriodSeconds: input.trialPeriodSeconds ?? undefined,
        mint: input.mint ?? undefined,
      }),
  }),
}));
