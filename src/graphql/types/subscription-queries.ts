import { queryFromInfo } from '@pothos/plugin-prisma';
import { type Page, readPage } from '../../domain/merchant/page.ts';
import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { subscriptionsWhere } from '../../domain/subscription/list-subscriptions.ts';
import type { Prisma, Subscription } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { findSubscription } from '../find-subscription.ts';
import { given } from '../given.ts';
import { seek } from '../seek.ts';
import { Pagination } from './pagination.ts';
import { BillingSubscription, SubscriptionStatus } from './subscription.ts';

export const SubscriptionFilter = builder.inputType('SubscriptionFilter', {
  description: 'Which subscriptions; all that is given must hold.',
  fields: (t) => ({
    status: t.field({ type: SubscriptionStatus, description: 'In this status.' }),
    planId: t.string({ description: "Of this plan: the merchant's own id." }),
    customer: t.string({
      description: "Of the customer with this email, whatever its case, or this merchant's own id.",
    }),
    walletAddress: t.string({ description: 'Paid by this wallet. Base58.' }),
    search: t.string({
      description:
        "Whatever of these it is, the whole of it: email, merchant's own id of the customer, wallet, address of the subscription, `lifeId`.",
    }),
    from: t.field({ type: 'DateTime', description: 'First known here at this moment or later.' }),
    to: t.field({ type: 'DateTime', description: 'First known here before this moment.' }),
  }),
});

type Filter = typeof SubscriptionFilter.$inferInput;

const SubscriptionPage = builder.objectRef<Page<Subscription>>('SubscriptionPage').implement({
  description: 'One page of subscriptions.',
  fields: (t) => ({
    data: t.expose('data', {
      type: [BillingSubscription],
      description: 'The subscriptions of this page, newest first.',
    }),
    pagination: t.expose('pagination', { type: Pagination, description: 'Where this page is among all.' }),
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
      'The newest subscription at an address, or one life of it. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => findSubscription(context, id, query),
  }),
  subscriptions: t.field({
    type: SubscriptionPage,
    args: {
      page: t.arg.int({ description: 'From 1; default 1.' }),
      limit: t.arg.int({ description: 'Rows a page, 1 to 100; default 20.' }),
      filter: t.arg({ type: SubscriptionFilter, description: 'Which ones; without it all.' }),
    },
    description:
      'Subscriptions by page, newest first. For deep or live lists use `subscriptionsConnection`. Errors: `authentication_error`; `invalid_request`, param `page`, `limit` or `to`.',
    resolve: async (_root, { filter, page, limit }, context, info) => {
      const where = await wanted(context, filter);
      const query = queryFromInfo({ context, info, path: ['data'] });
      const { subscription } = context.app.db;
      return readPage(
        { page: page ?? undefined, limit: limit ?? undefined },
        (range) => subscription.findMany({ ...query, ...range, where, orderBy: NEWEST_FIRST }),
        () => subscription.count({ where }),
      );
    },
  }),
  subscriptionsConnection: t.prismaConnection(
    {
      type: BillingSubscription,
      cursor: 'id',
      args: { filter: t.arg({ type: SubscriptionFilter, description: 'Which ones; without it all.' }) },
      description:
        'Subscriptions by cursor, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `to`.',
      totalCount: async (_root, { filter }, context) =>
        context.app.db.subscription.count({ where: await wanted(context, filter) }),
      resolve: async (query, _root, { filter }, context) => {
        const { subscription } = context.app.db;
        const where = await wanted(context, filter);
        const { page, condition } = await seek(query, (id) =>
          subscription.findFirst({ where: { ...scopeOf(context), id }, select: PLACE }),
        );
        return subscription.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'BillingSubscriptionConnection', description: 'A page of subscriptions.' },
    { name: 'BillingSubscriptionEdge', description: 'One of subscriptions.' },
  ),
}));

function wanted(
  context: GraphqlContext,
  filter: Filter | null | undefined,
): Promise<Prisma.SubscriptionWhereInput> {
  return subscriptionsWhere(context.app.db, scopeOf(context), given(filter ?? {}));
}
