import type { DayMetrics, MintAmount } from '../../domain/metrics/day-metrics.ts';
import { getMetrics, type Metrics } from '../../domain/metrics/get-metrics.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { given } from '../given.ts';
import { Plan } from './plan.ts';

const MintAmountRef = builder.objectRef<MintAmount>('MintAmount').implement({
  description: 'An amount of one token.',
  fields: (t) => ({
    mint: t.exposeString('mint', { description: 'Mint of the token. Base58.' }),
    amount: t.expose('amount', { type: 'TokenAmount', description: 'In base units.' }),
  }),
});

const MetricsDay = builder.objectRef<DayMetrics>('MetricsDay').implement({
  description: 'What happened on one day in UTC, and how things stood at its end.',
  fields: (t) => ({
    day: t.exposeString('day', { description: '`2026-12-01`.' }),
    active: t.exposeInt('active', { description: 'Subscriptions in the status ACTIVE at its end.' }),
    pastDue: t.exposeInt('pastDue', { description: 'Subscriptions in the status PAST_DUE at its end.' }),
    new: t.exposeInt('new', { description: 'Subscriptions that were made.' }),
    resumed: t.exposeInt('resumed', { description: 'Cancellations that customers took back.' }),
    churned: t.exposeInt('churned', { description: 'Subscriptions that were cancelled or expired.' }),
    expired: t.exposeInt('expired', { description: 'Subscriptions that expired.' }),
    recovered: t.exposeInt('recovered', { description: 'Subscriptions that went from PAST_DUE to ACTIVE.' }),
    failed: t.exposeInt('failed', { description: 'Tries that the payer could not pay.' }),
    mrr: t.expose('mrr', {
      type: [MintAmountRef],
      description:
        'Monthly recurring revenue at its end: what the subscriptions that are ACTIVE or PAST_DUE pay in 30 days, by token.',
    }),
  }),
});

const PlanMetrics = builder.objectRef<Metrics['plans'][number]>('PlanMetrics').implement({
  description: "One plan's days.",
  fields: (t) => ({
    plan: t.expose('plan', { type: Plan, description: 'The plan.' }),
    days: t.expose('days', { type: [MetricsDay], description: 'Every day of the range, first to last.' }),
  }),
});

const MetricsRef = builder.objectRef<Metrics>('Metrics').implement({
  description: "A merchant's numbers by day and plan.",
  fields: (t) => ({
    days: t.expose('days', {
      type: [MetricsDay],
      description: 'Every day of the range, first to last: all the plans together, or the one asked for.',
    }),
    plans: t.expose('plans', {
      type: [PlanMetrics],
      description: 'Each plan that had a subscriber by then, oldest first.',
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
        description: 'Last day, at most 366 days with the first and not later than today.',
      }),
      planId: t.arg.string({ description: "Only this plan: the merchant's own id." }),
    },
    description:
      'Numbers by day and plan. Errors: `authentication_error`; `invalid_request`, param `from` or `to`; `not_found`, param `planId`.',
    resolve: (_root, args, context) => getMetrics(context.app, scopeOf(context), given(args)),
  }),
}));
