import type {
  CodeCount,
  DayMetrics,
  MintAmount,
  MintMovement,
} from '../../../domain/insight/metrics/day-metrics.ts';
import { getMetrics, type Metrics, type MetricsRange } from '../../../domain/insight/metrics/get-metrics.ts';
import {
  type PeriodTotal,
  periodTotal,
  previousRange,
} from '../../../domain/insight/metrics/period-total.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { Asset, assetOf } from './asset.ts';
import { FailureCode } from './payment.ts';
import { Plan } from './plan.ts';

export const MintAmountRef = builder.objectRef<MintAmount>('MintAmount').implement({
  description: 'An amount of one token.',
  fields: (t) => ({
    mint: t.exposeString('mint', { description: 'Mint of the token. Base58.' }),
    asset: t.field({
      type: Asset,
      description: 'The token.',
      resolve: ({ mint }, _args, context) => assetOf(context, scopeOf(context).environment, mint),
    }),
    amount: t.expose('amount', { type: 'TokenAmount', description: 'Amount in base units of `mint`.' }),
  }),
});

const MrrMovementRef = builder.objectRef<MintMovement>('MrrMovement').implement({
  description:
    'How the monthly recurring revenue in one token changed, by what each wallet contributes. All amounts are in base units of `mint`, and only `moved` may be negative.',
  fields: (t) => ({
    mint: t.exposeString('mint', { description: 'Mint of the token. Base58.' }),
    asset: t.field({
      type: Asset,
      description: 'The token.',
      resolve: ({ mint }, _args, context) => assetOf(context, scopeOf(context).environment, mint),
    }),
    new: t.expose('new', { type: 'TokenAmount', description: 'Of wallets that never contributed before.' }),
    reactivation: t.expose('reactivation', {
      type: 'TokenAmount',
      description: 'Of wallets that contributed before, and nothing until this change.',
    }),
    expansion: t.expose('expansion', {
      type: 'TokenAmount',
      description: 'Of wallets that contribute more than before.',
    }),
    contraction: t.expose('contraction', {
      type: 'TokenAmount',
      description: 'Of wallets that contribute less than before, and still something.',
    }),
    churn: t.expose('churn', {
      type: 'TokenAmount',
      description: 'Of wallets that contribute nothing any more.',
    }),
    moved: t.expose('moved', {
      type: 'SignedTokenAmount',
      description: 'From or to another plan of the same wallet at once; 0 over all plans.',
    }),
  }),
});

const FailureCount = builder.objectRef<CodeCount>('FailureCount').implement({
  description: 'Number of failed attempts with one reason.',
  fields: (t) => ({
    code: t.expose('code', { type: FailureCode, description: 'Why the payers could not pay.' }),
    count: t.exposeInt('count', { description: 'Number of failed attempts.' }),
  }),
});

const MetricsDay = builder.objectRef<DayMetrics>('MetricsDay').implement({
  description: 'Changes during one UTC day, and totals at its end.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day in UTC: `2026-12-01`.' }),
    active: t.exposeInt('active', { description: 'Subscriptions that are ACTIVE at the end of the day.' }),
    pastDue: t.exposeInt('pastDue', {
      description: 'Subscriptions that are PAST_DUE at the end of the day.',
    }),
    new: t.exposeInt('new', { description: 'New subscriptions.' }),
    resumed: t.exposeInt('resumed', {
      description:
        'Subscriptions that were collected again after they had ended: resumed, or subscribed again.',
    }),
    churned: t.exposeInt('churned', { description: 'Subscriptions that were cancelled or expired.' }),
    expired: t.exposeInt('expired', { description: 'Subscriptions that expired.' }),
    recovered: t.exposeInt('recovered', { description: 'Subscriptions that went from PAST_DUE to ACTIVE.' }),
    failed: t.exposeInt('failed', { description: 'Attempts that failed because the payer could not pay.' }),
    failedByCode: t.expose('failedByCode', {
      type: [FailureCount],
      description:
        'Failed attempts by reason. Reasons without a failure are left out. The list is empty for days before dues counted reasons, even if `failed` is above 0.',
    }),
    paid: t.exposeInt('paid', { description: 'Payments that were collected on this day.' }),
    collected: t.expose('collected', {
      type: [MintAmountRef],
      description: 'Total of these payments, by token.',
    }),
    recoveredAmount: t.expose('recoveredAmount', {
      type: [MintAmountRef],
      description:
        'Price of one interval of each recovered subscription, summed by token: money that would have been lost without retries.',
    }),
    refunds: t.exposeInt('refunds', { description: 'Refunds whose transfer landed on this day.' }),
    refunded: t.expose('refunded', {
      type: [MintAmountRef],
      description: 'Total of these refunds, by token. `collected` does not subtract it.',
    }),
    mrr: t.expose('mrr', {
      type: [MintAmountRef],
      description:
        'Monthly recurring revenue at the end of the day, by token: the amount that the ACTIVE and PAST_DUE subscriptions pay in 30 days.',
    }),
    mrrMovement: t.expose('mrrMovement', {
      type: [MrrMovementRef],
      description:
        'Why `mrr` differs from the day before, by token: the day before + new + reactivation + expansion - contraction - churn (+ moved, for one plan).',
    }),
  }),
});

const PlanMetrics = builder.objectRef<Metrics['plans'][number]>('PlanMetrics').implement({
  description: 'Metrics of one plan by day.',
  fields: (t) => ({
    plan: t.expose('plan', { type: Plan, description: 'The plan.' }),
    days: t.expose('days', { type: [MetricsDay], description: 'Every day of the range, first to last.' }),
  }),
});

const MetricsTotal = builder.objectRef<PeriodTotal>('MetricsTotal').implement({
  description: 'The changes of all days of a range together.',
  fields: (t) => ({
    new: t.exposeInt('new', { description: 'New subscriptions.' }),
    resumed: t.exposeInt('resumed', {
      description:
        'Subscriptions that were collected again after they had ended: resumed, or subscribed again.',
    }),
    churned: t.exposeInt('churned', { description: 'Subscriptions that were cancelled or expired.' }),
    churnRate: t.exposeFloat('churnRate', {
      nullable: true,
      description:
        '`churned` divided by the number of ACTIVE and PAST_DUE subscriptions before the first day; null if there were none.',
    }),
    expired: t.exposeInt('expired', { description: 'Subscriptions that expired.' }),
    recovered: t.exposeInt('recovered', { description: 'Subscriptions that went from PAST_DUE to ACTIVE.' }),
    failed: t.exposeInt('failed', { description: 'Attempts that failed because the payer could not pay.' }),
    paid: t.exposeInt('paid', { description: 'Payments that were collected.' }),
    collected: t.expose('collected', {
      type: [MintAmountRef],
      description: 'Total of these payments, by token.',
    }),
    recoveredAmount: t.expose('recoveredAmount', {
      type: [MintAmountRef],
      description: 'Price of one interval of each recovered subscription, summed by token.',
    }),
    refunds: t.exposeInt('refunds', { description: 'Refunds whose transfer landed.' }),
    refunded: t.expose('refunded', {
      type: [MintAmountRef],
      description: 'Total of these refunds, by token. `collected` does not subtract it.',
    }),
  }),
});

/** Metrics with the range that they were read for. */
interface RangeMetrics extends Metrics {
  readonly range: MetricsRange;
}

async function readMetrics(context: GraphqlContext, range: MetricsRange): Promise<RangeMetrics> {
  return { ...(await getMetrics(context.app, scopeOf(context), range)), range };
}

const MetricsRef = builder.objectRef<RangeMetrics>('Metrics');
MetricsRef.implement({
  description: "A merchant's metrics by day and plan.",
  fields: (t) => ({
    days: t.expose('days', {
      type: [MetricsDay],
      description: 'Every day of the range, first to last, for all plans together or for the requested plan.',
    }),
    total: t.field({
      type: MetricsTotal,
      description: 'All days of the range together.',
      resolve: ({ days }) => periodTotal(days),
    }),
    plans: t.expose('plans', {
      type: [PlanMetrics],
      description: 'Each plan that had a subscription by the end of the range, oldest first.',
    }),
    previous: t.field({
      type: MetricsRef,
      // Two levels fit into a query: each reads all metrics again.
      complexity: 10_000,
      description:
        'The metrics of the range of the same length that ends the day before this one. Counts as 10,000 fields towards the limit of a query. Errors: `invalid_request`, param `from`, for a range before the year 2000.',
      resolve: ({ range }, _args, context) => readMetrics(context, previousRange(range)),
    }),
  }),
});

builder.queryFields((t) => ({
  metrics: t.field({
    type: MetricsRef,
    args: {
      from: t.arg.string({ required: true, description: 'First day, in UTC: `2026-12-01`.' }),
      to: t.arg.string({
        required: true,
        description: 'Last day, not later than today; the range has at most 366 days.',
      }),
      planId: t.arg.string({ description: 'Only metrics of the plan with this `planId`.' }),
    },
    description:
      'Metrics by day and plan. Errors: `authentication_error`; `invalid_request`, param `from` or `to`; `not_found`, param `planId`.',
    resolve: (_root, args, context) => readMetrics(context, withoutNulls(args)),
  }),
}));
