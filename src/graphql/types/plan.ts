import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import type { PlanChanges } from '../../domain/metrics/plan-changes.ts';
import { notFound } from '../../errors.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { loadPlanTotals } from '../plan-totals.ts';
import { seek } from '../seek.ts';

export const PlanStatus = builder.enumType('PlanStatus', {
  description: 'Whether a plan can be subscribed to.',
  values: {
    DRAFT: { description: 'Its account on chain has not been seen yet: sign and send its transaction.' },
    ACTIVE: { description: 'Takes subscribers.' },
    INACTIVE: { description: 'Sunset or ended on chain: takes no new subscribers.' },
  } as const,
});

const PlanProblem = builder.enumType('PlanProblem', {
  description:
    "What stands in the way of a plan's payments. Nobody is charged, and no customer is blamed for it.",
  values: {
    NOT_FOUND: { description: 'Its account on chain was not found.' },
    UNREADABLE: { description: 'Its account on chain could not be read.' },
    NOT_OUR_PLAN_TO_PULL: {
      description: 'Our collector was taken off its pullers: put the collector back on chain.',
    },
    OTHER_DESTINATION: { description: "It does not pay to the merchant's wallet." },
    RECEIVER_FROZEN: { description: "The merchant's token account is frozen: ask the issuer of the token." },
    RECEIVER_REQUIRES_MEMO: {
      description: "The merchant's token account wants a memo with every transfer: switch that off.",
    },
    RECEIVER_UNREADABLE: { description: "The merchant's token account could not be read." },
  } as const,
});

const PlanSubscribers = builder.objectRef<PlanChanges>('PlanSubscribers').implement({
  description: "How many of a plan's subscriptions are in each status.",
  fields: (t) => ({
    active: t.exposeInt('active', { description: 'ACTIVE.' }),
    pastDue: t.exposeInt('pastDue', { description: 'PAST_DUE.' }),
    cancelled: t.exposeInt('cancelled', { description: 'CANCELLED.' }),
    expired: t.exposeInt('expired', { description: 'EXPIRED.' }),
  }),
});

export const Plan = builder.prismaObject('Plan', {
  description: 'Price, interval and asset. Its terms never change: a new price is a new plan.',
  fields: (t) => ({
    planId: t.exposeString('planId', {
      description: "The merchant's own id of the plan, unique among its plans.",
    }),
    name: t.exposeString('name', { description: 'Name shown to customers.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Text shown to customers; null where there is none.',
    }),
    amount: t.expose('amount', {
      type: 'TokenAmount',
      description: 'Price of one interval, in base units of `mint`.',
    }),
    interval: t.exposeInt('intervalSeconds', {
      description: 'Length of a billing interval in seconds; always whole hours.',
    }),
    trialPeriodSeconds: t.exposeInt('trialPeriodSeconds', {
      description: 'Seconds from the start to the first payment; 0 for a payment at once.',
    }),
    mint: t.exposeString('mint', { description: 'Mint of the token that is paid in. Base58.' }),
    address: t.exposeString('address', {
      description: "Address of the plan's account on chain, also before it exists. Base58.",
    }),
    status: t.expose('status', { type: PlanStatus, description: 'Whether it can be subscribed to.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends on chain and nothing is collected any more; null where it does not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was drafted.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its account was seen on chain; null for a draft.',
    }),
    problem: t.expose('problem', {
      type: PlanProblem,
      nullable: true,
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Why its payments could not be collected when the last one was due; null where nothing stood in the way. It is looked at again every ten minutes. Errors: `authentication_error` without the merchant's key.",
    }),
    merchant: t.relation('merchant', { description: 'Who sells it.' }),
    subscribers: t.field({
      type: PlanSubscribers,
      authScopes: (plan) => ({ owner: plan }),
      description: "Its subscriptions by status. Errors: `authentication_error` without the merchant's key.",
      resolve: ({ id }, _args, context) => loadPlanTotals(context, id),
    }),
    paymentCount: t.int({
      authScopes: (plan) => ({ owner: plan }),
      description: "Payments collected so far. Errors: `authentication_error` without the merchant's key.",
      resolve: async ({ id }, _args, context) => (await loadPlanTotals(context, id)).paid,
    }),
    revenue: t.field({
      type: 'TokenAmount',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Everything collected so far, in base units of `mint`. Errors: `authentication_error` without the merchant's key.",
      resolve: async ({ id }, _args, context) => (await loadPlanTotals(context, id)).collected,
    }),
  }),
});

builder.queryFields((t) => ({
  plan: t.prismaField({
    type: Plan,
    nullable: true,
    args: { planId: t.arg.string({ required: true, description: "The merchant's own id of the plan." }) },
    description: 'One plan. Errors: `authentication_error`; `not_found`, param `planId`.',
    resolve: async (query, _root, { planId }, context) => {
      const where = { ...scopeOf(context), planId };
      const plan = await context.app.db.plan.findFirst({ ...query, where });
      if (!plan) throw notFound('plan', 'planId');
      return plan;
    },
  }),
  plans: t.prismaConnection(
    {
      type: Plan,
      cursor: 'id',
      args: { status: t.arg({ type: PlanStatus, description: 'Only plans in this status.' }) },
      description:
        'Plans, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, { status }, context) =>
        context.app.db.plan.count({ where: { ...scopeOf(context), status: status ?? undefined } }),
      resolve: async (query, _root, { status }, context) => {
        const scope = scopeOf(context);
        const { plan } = context.app.db;
        const { page, condition } = await seek(query, (id) =>
          plan.findFirst({ where: { ...scope, id }, select: PLACE }),
        );
        const where = { ...scope, status: status ?? undefined, ...condition };
        return plan.findMany({ ...page, where, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PlanConnection', description: 'A page of plans.' },
    { name: 'PlanEdge', description: 'One of plans.' },
  ),
}));
