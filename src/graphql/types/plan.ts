import { notFound } from '../../errors.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const PlanStatus = builder.enumType('PlanStatus', {
  description: 'Whether a plan can be subscribed to.',
  values: {
    DRAFT: { description: 'Its account on chain has not been seen yet: sign and send its transaction.' },
    ACTIVE: { description: 'Takes subscribers.' },
    INACTIVE: { description: 'Sunset or ended on chain: takes no new subscribers.' },
  } as const,
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
    merchant: t.relation('merchant', { description: 'Who sells it.' }),
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
      resolve: (query, _root, { status }, context) =>
        context.app.db.plan.findMany({
          ...query,
          where: { ...scopeOf(context), status: status ?? undefined },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    { name: 'PlanConnection', description: 'A page of plans.' },
    { name: 'PlanEdge', description: 'One of plans.' },
  ),
}));
