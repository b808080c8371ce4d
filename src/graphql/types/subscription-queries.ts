import { queryFromInfo } from '@pothos/plugin-prisma';
import { readCountedPage, readUncountedPage, type UncountedPage } from '../../domain/merchant/page.ts';
import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import {
  countListed,
  isUnfiltered,
  subscriptionsWhere,
} from '../../domain/subscription/list-subscriptions.ts';
import { readSubscriptionPage, readSubscriptions } from '../../domain/subscription/read-subscriptions.ts';
import type { Subscription } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { findSubscription } from '../find-subscription.ts';
import { given } from '../given.ts';
import { inArgument } from '../in-argument.ts';
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

const SubscriptionPage = builder.objectRef<UncountedPage<Subscription>>('SubscriptionPage').implement({
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
      'Subscriptions by page number, newest first. For long lists, and lists that change meanwhile, use `subscriptionsConnection`: it takes the same filter. Errors: `authentication_error`; `invalid_request`, param `page`, `limit` or a field of the filter (`filter.walletAddress`).',
    resolve: async (_root, { filter, page, limit }, context, info) => {
      const { db } = context.app;
      const scope = scopeOf(context);
      const wanted = given(filter ?? {});
      const place = { page: page ?? undefined, limit: limit ?? undefined };
      const query = queryFromInfo({ context, info, path: ['data'] });
      if (isUnfiltered(wanted) && isAsListed(query)) {
        const counted = await readCountedPage(place, (range) => readSubscriptionPage(db, scope, range));
        const { total, ...pagination } = counted.pagination;
        return { ...counted, pagination: { ...pagination, total: async () => total } };
      }
      const where = await inArgument('filter', () => subscriptionsWhere(db, scope, wanted));
      return readUncountedPage(
        place,
        (range) => db.subscription.findMany({ ...query, ...range, where, orderBy: NEWEST_FIRST }),
        () => countListed(db, scope, wanted),
      );
    },
  }),
  subscriptionsConnection: t.prismaConnection(
    {
      type: BillingSubscription,
      cursor: 'id',
      args: { filter: t.arg({ type: SubscriptionFilter, description: 'Which ones; without it all.' }) },
      description:
        'Subscriptions by cursor, newest first; `subscriptions` has them by page number. Errors: `authentication_error`; `invalid_request` for a page out of range, or param a field of the filter (`filter.walletAddress`).',
      totalCount: (_root, { filter }, context) =>
        inArgument('filter', () => countListed(context.app.db, scopeOf(context), given(filter ?? {}))),
      resolve: async (query, _root, { filter }, context) => {
        const { db } = context.app;
        const scope = scopeOf(context);
        const wanted = given(filter ?? {});
        const where = await inArgument('filter', () => subscriptionsWhere(db, scope, wanted));
        const { page, condition, cursor } = await seek(query, (id) =>
          db.subscription.findFirst({ where: { ...scope, id }, select: PLACE }),
        );
        if (page.take > 0 && isUnfiltered(wanted) && isAsListed(query)) {
          return readSubscriptions(db, scope, { before: cursor, take: page.take });
        }
        return db.subscription.findMany({
          ...page,
          where: { AND: [where, condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'BillingSubscriptionConnection', description: 'A page of subscriptions.' },
    { name: 'BillingSubscriptionEdge', description: 'One of subscriptions.' },
  ),
}));

/** Whether a query asks for nothing of its rows but what `readSubscriptions` has: themselves, their customer and their plan. */
function isAsListed(query: object): boolean {
  const { include, select } = query as { include?: Record<string, unknown>; select?: object };
  if (select !== undefined) return false;
  return Object.entries(include ?? {}).every(
    ([name, asked]) => asked === true && (name === 'customer' || name === 'plan'),
  );
}
