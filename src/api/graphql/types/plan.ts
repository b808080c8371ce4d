import type { PlanChanges } from '../../../domain/insight/metrics/plan-changes.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { notFound } from '../../../errors.ts';
import type { RetryPolicy } from '../../../generated/prisma/client.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { loadPlanTotals } from '../loaders/plan-totals.ts';
import { Asset, assetOf } from './asset.ts';
import { PlanFeature } from './plan-feature.ts';

export const PlanStatus = builder.enumType('PlanStatus', {
  description: 'Status of a plan.',
  values: {
    DRAFT: {
      description:
        'Not published yet: no account of the plan was seen on chain. Sign and send the transaction of `createPlan`.',
    },
    ACTIVE: { description: 'Published, and open to new customers.' },
    INACTIVE: { description: 'Closed to new customers: the plan is sunset or has ended on chain.' },
  } as const,
});

const PlanProblem = builder.enumType('PlanProblem', {
  description:
    "Why a plan's payments cannot be collected. As long as the problem lasts, no customer is charged and no failure is counted.",
  values: {
    NOT_FOUND: { description: 'The account of the plan was not found on chain.' },
    UNREADABLE: { description: 'The account of the plan on chain could not be read.' },
    NOT_OUR_PLAN_TO_PULL: {
      description:
        'The plan no longer allows dues to collect: the collector is not among the pullers on chain. `repairPlanTransaction` adds it again.',
    },
    OTHER_DESTINATION: { description: "The plan on chain does not pay to the merchant's wallet." },
    MINT_TAKES_FEE: {
      description:
        'The token now has a transfer fee, so payments would not arrive in full. Ask the issuer of the token, or move the customers to a plan in another token.',
    },
    MINT_HAS_HOOK: {
      description:
        'Transfers of the token now call a program of its issuer (a transfer hook), which dues does not support. Ask the issuer of the token, or move the customers to a plan in another token.',
    },
    MINT_PAUSED: {
      description:
        'The issuer of the token has stopped all transfers. Payments are collected again when the issuer resumes them.',
    },
    RECEIVER_FROZEN: { description: "The merchant's token account is frozen: ask the issuer of the token." },
    RECEIVER_REQUIRES_MEMO: {
      description: "The merchant's token account requires a memo with every transfer: switch that off.",
    },
    RECEIVER_CONFIDENTIAL: {
      description:
        "The merchant's token account accepts only confidential transfers: allow other transfers again.",
    },
    RECEIVER_UNREADABLE: { description: "The merchant's token account could not be read." },
    RECEIVER_MISSING: {
      description:
        "The merchant's token account was closed after dues had created it again once. Create it with `receivingAccountsTransaction`, or by a transfer of the token to the merchant's wallet.",
    },
  } as const,
});

export const RetryPolicyRef = builder.enumType('RetryPolicy', {
  description: 'How failed payments of a plan are retried.',
  values: {
    QUICK: {
      description:
        'As the settings of the environment say: by default after 1 and 5 minutes. After the last failure the subscription expires.',
    },
    DAYS: {
      description:
        'After 1 hour, and then 6 hours, 1 day, 3 days and 5 days later. After the sixth failure the subscription expires. It needs 224 hours from a due date to the end of the period.',
    },
    UNTIL_PAID: {
      description:
        'As QUICK, but the subscription does not expire: after the last failure it stays PAST_DUE, and its access ends with the grace. It is collected when the wallet is topped up before the period of the payment ends. Each later payment is tried once, when it is due. After a trial there may be a time between the two, in which nothing can be paid.',
    },
  } satisfies Record<RetryPolicy, { description: string }>,
});

const PlanSubscribers = builder.objectRef<PlanChanges>('PlanSubscribers').implement({
  description: "Number of a plan's subscriptions in each status.",
  fields: (t) => ({
    active: t.exposeInt('active', { description: 'Number of ACTIVE subscriptions.' }),
    pastDue: t.exposeInt('pastDue', { description: 'Number of PAST_DUE subscriptions.' }),
    cancelled: t.exposeInt('cancelled', { description: 'Number of CANCELLED subscriptions.' }),
    expired: t.exposeInt('expired', { description: 'Number of EXPIRED subscriptions.' }),
  }),
});

export const Plan = builder.prismaObject('Plan', {
  description:
    'An offer to subscribe: price, limit, billing interval and token. Limit, interval and token never change. A new price within the limit is for new subscriptions (`createPrice`).',
  requires: null,
  fields: (t) => ({
    planId: t.exposeString('planId', {
      description: "The merchant's own id of the plan, unique among the plans of the environment.",
    }),
    name: t.exposeString('name', { description: 'Name shown to customers.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Text shown to customers; null if there is none.',
    }),
    imageUrl: t.exposeString('imageUrl', {
      nullable: true,
      description: 'URL of a picture shown to customers; null if there is none.',
    }),
    amount: t.expose('amount', {
      type: 'TokenAmount',
      description: 'Price of one interval for new subscriptions, in base units of `mint`.',
    }),
    maxAmount: t.expose('maxAmount', {
      type: 'TokenAmount',
      description:
        "The limit: the most that can be collected in one interval, in base units of `mint`. The plan's account on chain has it, and the program refuses more.",
    }),
    prices: t.relation('prices', {
      query: { orderBy: { version: 'desc' } },
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "All versions of the price, newest first: the first one is current. Errors: `authentication_error` without the merchant's key.",
    }),
    features: t.relation('features', {
      type: PlanFeature,
      query: { orderBy: { key: 'asc' } },
      description: 'What its subscribers may use, by key.',
    }),
    graceSeconds: t.exposeInt('graceSeconds', {
      nullable: true,
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Seconds from the due date of a failed payment for which a subscription still gives access after its last retry; null for the setting of the environment. Errors: `authentication_error` without the merchant's key.",
    }),
    retryPolicy: t.expose('retryPolicy', {
      type: RetryPolicyRef,
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "How failed payments are retried. Errors: `authentication_error` without the merchant's key.",
    }),
    collectWithinSeconds: t.exposeInt('collectWithinSeconds', {
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Payments of this plan are first attempted within these seconds after their due date, each at a time of its own; 0: at their due date. Errors: `authentication_error` without the merchant's key.",
    }),
    interval: t.exposeInt('intervalSeconds', {
      description: 'Billing interval in seconds; always whole hours.',
    }),
    trialPeriodSeconds: t.exposeInt('trialPeriodSeconds', {
      description: 'Seconds from the start to the first payment; 0 without a trial.',
    }),
    maxPausedPeriods: t.exposeInt('maxPausedPeriods', {
      description: 'The most periods for which customers may pause in the portal; 0: not at all.',
    }),
    mint: t.exposeString('mint', { description: 'Mint of the payment token. Base58.' }),
    asset: t.field({
      type: Asset,
      select: { environment: true, mint: true },
      description: 'The payment token.',
      resolve: ({ environment, mint }, _args, context) => assetOf(context, environment, mint),
    }),
    address: t.exposeString('address', {
      description: "Address of the plan's account on chain, known before the account exists. Base58.",
    }),
    status: t.expose('status', { type: PlanStatus, description: 'Status of the plan.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the plan ends on chain and collection stops; null if it has no end.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the draft was created.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: "When the plan's account was first seen on chain; null for a draft.",
    }),
    problem: t.expose('currentProblem', {
      type: PlanProblem,
      nullable: true,
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Why payments that were due could not be collected; null if nothing prevents collection. dues checks again every ten minutes. Errors: `authentication_error` without the merchant's key.",
    }),
    merchant: t.relation('merchant', { description: 'The merchant that sells the plan.' }),
    subscribers: t.field({
      type: PlanSubscribers,
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Number of the plan's subscriptions by status. Errors: `authentication_error` without the merchant's key.",
      resolve: ({ id }, _args, context) => loadPlanTotals(context, id),
    }),
    paymentCount: t.int({
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Number of payments collected so far. Errors: `authentication_error` without the merchant's key.",
      resolve: async ({ id }, _args, context) => (await loadPlanTotals(context, id)).paid,
    }),
    revenue: t.field({
      type: 'TokenAmount',
      requires: 'READ',
      authScopes: (plan) => ({ owner: plan }),
      description:
        "Total collected so far, in base units of `mint`. Errors: `authentication_error` without the merchant's key.",
      resolve: async ({ id }, _args, context) => (await loadPlanTotals(context, id)).collected,
    }),
  }),
});

builder.queryFields((t) => ({
  plan: t.prismaField({
    type: Plan,
    nullable: true,
    args: { planId: t.arg.string({ required: true, description: "The merchant's id of the plan." }) },
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
        const { page, condition } = await replaceCursor(query, (id) =>
          plan.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        const where = { ...scope, status: status ?? undefined, ...condition };
        return plan.findMany({ ...page, where, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PlanConnection', description: 'A page of plans.' },
    { name: 'PlanEdge', description: 'One plan of a page, with its cursor.' },
  ),
}));
