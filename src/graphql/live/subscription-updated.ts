import { addressOf } from '../../domain/subscription/address-of.ts';
import type { LivePayload } from '../../jobs/live.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { findSubscription } from '../find-subscription.ts';
import { BillingSubscription } from '../types/subscription.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  subscriptionUpdated: t.prismaField({
    type: BillingSubscription,
    args: { id: t.arg.id({ description: 'Only the one at this address, or this `lifeId`.' }) },
    description:
      'A subscription after every change. With `id` it begins with what that subscription is now. Errors: `authentication_error`; `not_found`, param `id`; `live_interrupted` where a change may have been missed: read and subscribe again.',
    subscribe: async (_root, { id }, context) => {
      const now = id == null ? undefined : await findSubscription(context, id);
      const source = context.app.live.subscribe('subscription.updated', scopeOf(context));
      await source.ready;
      return new LiveStream(context, source, pick(context, id), now?.id);
    },
    resolve: (query, lifeId: string, _args, context) =>
      context.app.db.subscription.findFirstOrThrow({ ...query, where: { ...scopeOf(context), id: lifeId } }),
  }),
}));

function pick({ app }: GraphqlContext, id: string | null | undefined) {
  return async ({ subscriptionId }: LivePayload<'subscription.updated'>): Promise<string | undefined> => {
    if (id == null || id === subscriptionId) return subscriptionId;
    return (await addressOf(app.db, subscriptionId)) === id ? subscriptionId : undefined;
  };
}
