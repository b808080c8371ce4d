import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  filterSubscriptions,
  type OrderName,
  orderFor,
  readSubscriptionsFrom,
} from '../../../domain/billing/read/list-subscriptions.ts';
import { SUBSCRIPTION_POSITION } from '../../../domain/billing/read/subscription-order.ts';
import { countListed } from '../../../domain/insight/metrics/count-listed.ts';
import { merchantTotals, type PlanCounts } from '../../../domain/insight/metrics/plan-changes.ts';
import type { UncountedPage } from '../../../domain/kernel/paging/numbered-page.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { prefixFilter } from '../arguments/prefix-filter.ts';
import { replaceCursorIn } from '../arguments/replace-cursor.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { findSubscription } from '../loaders/find-subscription.ts';
import { selectedRows } from '../loaders/listed-columns.ts';
import { Pagination } from './pagination.ts';
import { FailureCode } from './payment.ts';
import { BillingSubscription, SubscriptionStatus } from './subscription.ts';

export const SubscriptionFilter = builder.inputType('SubscriptionFilter', {
  description: 'Filter for subscriptions; all given conditions must match.',
  fields: (t) => ({
    status: t.field({ type: SubscriptionStatus, description: 'Only subscriptions in this status.' }),
    statuses: t.field({
      type: [SubscriptionStatus],
      description: 'Only subscriptions in one of these statuses.',
    }),
    failureCode: t.field({
      type: FailureCode,
      description: 'Only PAST_DUE subscriptions whose open payment last failed for this reason.',
    }),
    cancelAtPeriodEnd: t.boolean({
      description:
        'True lists only subscriptions that the merchant cancels at the end of the period, including those that have already ended that way; false lists only the others.',
    }),
    nextPaymentFrom: t.field({
      type: 'DateTime',
      description: 'Only subscriptions whose next payment is due at this time or later.',
    }),
    nextPaymentTo: t.field({
      type: 'DateTime',
      description: 'Only subscriptions whose next payment is due before this time.',
    }),
    planId: t.string({ description: 'Only subscriptions to the plan with this `planId`.' }),
    customer: t.string({
      description: 'Only subscriptions of customers with this email (ignoring case) or this `customerId`.',
    }),
    walletAddress: t.string({ description: 'Only subscriptions paid by this wallet. Base58.' }),
    search: t.string({
      description:
        "Only subscriptions where one of these equals the text: email, merchant's id of the customer, wallet, address of the subscription, `lifeId`.",
    }),
    from: t.field({ type: 'DateTime', description: 'Only subscriptions created at this time or later.' }),
    to: t.field({ type: 'DateTime', description: 'Only subscriptions created before this time.' }),
  }),
});

const SubscriptionOrder = builder.enumType('SubscriptionOrder', {
  description: 'The order of a list of subscriptions.',
  values: {
    CREATED: { description: 'Newest first.' },
    NEXT_PAYMENT: {
      description:
        'By the due date of the next or overdue payment, earliest first. Subscriptions without such a payment are left out.',
    },
  } as const,
});

const SubscriptionCounts = builder.objectRef<PlanCounts>('SubscriptionCounts').implement({
  description: 'Number of subscriptions in each status.',
  fields: (t) => ({
    active: t.exposeInt('active', { description: 'Number of ACTIVE subscriptions.' }),
    pastDue: t.exposeInt('pastDue', { description: 'Number of PAST_DUE subscriptions.' }),
    cancelled: t.exposeInt('cancelled', { description: 'Number of CANCELLED subscriptions.' }),
    expired: t.exposeInt('expired', { description: 'Number of EXPIRED subscriptions.' }),
    total: t.int({
      description: 'Number of subscriptions in any status.',
      resolve: ({ active, pastDue, cancelled, expired }) => active + pastDue + cancelled + expired,
    }),
  }),
});

const SubscriptionPage = builder.objectRef<UncountedPage<Subscription>>('SubscriptionPage').implement({
  description: 'One page of subscriptions.',
  fields: (t) => ({
    data: t.expose('data', {
      type: [BillingSubscription],
      description: 'The subscriptions of this page, newest first.',
    }),
    pagination: t.expose('pagination', {
      type: Pagination,
      description: 'Position of this page among all pages.',
    }),
  }),
});

builder.queryFields((t) => ({
  subscription: t.prismaField({
    type: BillingSubscription,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'Address of the subscription account, or a `lifeId`.' }),
    },
    description:
      'The newest subscription at an address, or the one with a `lifeId`. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => findSubscription(context, id, query),
  }),
  subscriptionCounts: t.field({
    type: SubscriptionCounts,
    description:
      'Number of subscriptions in each status. The query is fast however many there are. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => merchantTotals(context.app.db, scopeOf(context)),
  }),
  subscriptions: t.field({
    type: SubscriptionPage,
    args: {
      page: t.arg.int({ description: 'Number of the page, from 1; default 1.' }),
      limit: t.arg.int({ description: 'Items per page, 1 to 100; default 20.' }),
      filter: t.arg({ type: SubscriptionFilter, description: 'Filter; default all subscriptions.' }),
    },
    description:
      'Subscriptions by page number, newest first. For long or changing lists use `subscriptionsConnection`, which takes the same filter. Errors: `authentication_error`; `invalid_request`, param `page`, `limit` or a field of the filter, for example `filter.walletAddress`.',
    resolve: async (_root, { filter, page, limit }, context, info) => {
      const { db } = context.app;
      const scope = scopeOf(context);
      const conditions = withoutNulls(filter ?? {});
      return prefixFilter(filter, () =>
        filterSubscriptions({ db }, scope, {
          page: page ?? undefined,
          limit: limit ?? undefined,
          filter: conditions,
          listed: selectedRows(info, ['data']),
          rows: () => queryFromInfo({ context, info, path: ['data'] }),
          count: () => countListed(db, scope, conditions),
        }),
      );
    },
  }),
  subscriptionsConnection: t.prismaConnection(
    {
      type: BillingSubscription,
      cursor: 'id',
      args: {
        filter: t.arg({ type: SubscriptionFilter, description: 'Filter; default all subscriptions.' }),
        orderBy: t.arg({
          type: SubscriptionOrder,
          description:
            'Order of the list; default NEXT_PAYMENT if the filter has `nextPaymentFrom` or `nextPaymentTo`, otherwise CREATED.',
        }),
      },
      description:
        'Subscriptions by cursor; `subscriptions` lists them by page number. With `orderBy: NEXT_PAYMENT` a subscription moves down the list when its payment is collected. Errors: `authentication_error`; `invalid_request` for a page out of range, or with a field of the filter as param, for example `filter.walletAddress`.',
      totalCount: (_root, { filter, orderBy }, context) =>
        prefixFilter(filter, () =>
          countListed(context.app.db, scopeOf(context), conditionsInOrder(filter, orderBy)),
        ),
      resolve: async (query, _root, { filter, orderBy }, context, info) => {
        const { db } = context.app;
        const scope = scopeOf(context);
        const conditions = conditionsInOrder(filter, orderBy);
        const order = orderFor(conditions, orderBy);
        const from = await replaceCursorIn(
          query,
          (id) => db.subscription.findFirst({ where: { ...scope, id }, select: SUBSCRIPTION_POSITION }),
          order.beyond,
        );
        return prefixFilter(filter, () =>
          readSubscriptionsFrom({ db }, scope, {
            filter: conditions,
            order,
            listed: selectedRows(info, ['edges', 'node']),
            ...from,
          }),
        );
      },
    },
    { name: 'BillingSubscriptionConnection', description: 'A page of subscriptions.' },
    { name: 'BillingSubscriptionEdge', description: 'One subscription of a page, with its cursor.' },
  ),
}));

/**
 * Adds to the filter that a list ordered by next payment has only subscriptions with such a
 * payment.
 */
function conditionsInOrder(
  filter: typeof SubscriptionFilter.$inferInput | null | undefined,
  orderBy: OrderName | null | undefined,
) {
  const conditions = withoutNulls(filter ?? {});
  return orderBy === 'NEXT_PAYMENT' ? { ...conditions, isToBePaid: true as const } : conditions;
}
