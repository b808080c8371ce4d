import { addressOf } from '../../../domain/billing/read/address-of.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import type { LivePayload } from '../../../live/live.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { findSubscription } from '../loaders/find-subscription.ts';
import { BillingSubscription } from '../types/subscription.ts';
import { LiveStream } from './live-stream.ts';
import { ReadAhead } from './read-ahead.ts';

/** The id of a subscription that changed, and the rows that its stream has loaded. */
interface ChangedSubscription {
  readonly lifeId: string;
  readonly rows: ReadAhead<Subscription>;
}

builder.subscriptionFields((t) => ({
  subscriptionUpdated: t.prismaField({
    type: BillingSubscription,
    args: {
      id: t.arg.id({ description: 'Address or `lifeId` of the only subscription to follow; default all.' }),
    },
    description:
      'A subscription after every change. With `id`, the subscription as it is now comes first. Errors: `authentication_error`; `not_found`, param `id`; `live_interrupted` if the client may have missed a change: query and subscribe again.',
    subscribe: async (_root, { id }, context) => {
      const current = id == null ? undefined : await findSubscription(context, id);
      const source = context.app.live.subscribe('subscription.updated', scopeOf(context));
      await source.ready;
      // With `id`, most waiting messages are about other subscriptions.
      const rows = new ReadAhead<Subscription>(() =>
        id == null ? source.waiting.map(({ subscriptionId }) => subscriptionId) : [],
      );
      const matchingId = idMatcher(context, id);
      const changed = async (message: LivePayload<'subscription.updated'>) => {
        const lifeId = await matchingId(message);
        return lifeId === undefined ? undefined : { lifeId, rows };
      };
      return new LiveStream(context, source, changed, current && { lifeId: current.id, rows });
    },
    resolve: async (query, { lifeId, rows }: ChangedSubscription, _args, context) => {
      const where = scopeOf(context);
      const { subscription } = context.app.db;
      const row = await rows.read(lifeId, (ids) =>
        subscription.findMany({ ...query, where: { ...where, id: { in: ids } } }),
      );
      return row ?? subscription.findFirstOrThrow({ ...query, where: { ...where, id: lifeId } });
    },
  }),
}));

/** Returns a function that gives the id in a message, or undefined if `id` excludes it. */
function idMatcher({ app }: GraphqlContext, id: string | null | undefined) {
  return async ({ subscriptionId }: LivePayload<'subscription.updated'>): Promise<string | undefined> => {
    if (id == null || id === subscriptionId) return subscriptionId;
    return (await addressOf(app.db, subscriptionId)) === id ? subscriptionId : undefined;
  };
}
