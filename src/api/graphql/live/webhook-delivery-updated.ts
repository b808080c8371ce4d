import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { WebhookDelivery } from '../types/webhook-delivery.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  webhookDeliveryUpdated: t.prismaField({
    type: WebhookDelivery,
    args: { endpointId: t.arg.id({ description: 'Only deliveries to this endpoint.' }) },
    description:
      'A delivery after every attempt. Errors: `authentication_error`; `live_interrupted` if the client may have missed a change: query and subscribe again.',
    subscribe: async (_root, { endpointId }, context) => {
      const source = context.app.live.subscribe('delivery.updated', scopeOf(context));
      await source.ready;
      return new LiveStream(context, source, async (message) =>
        endpointId == null || message.endpointId === endpointId ? message.deliveryId : undefined,
      );
    },
    resolve: (query, deliveryId: string, _args, context) =>
      context.app.db.delivery.findFirstOrThrow({
        ...query,
        where: { ...scopeOf(context), id: deliveryId },
      }),
  }),
}));
