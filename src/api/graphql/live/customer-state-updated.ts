import { getState } from '../../../domain/billing/customer-state/get-states.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { CustomerState } from '../types/customer-state.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  customerStateUpdated: t.field({
    type: CustomerState,
    args: {
      customerId: t.arg.string({
        description:
          "The merchant's id of the only customer to follow, or the `id` of a customer without one; default all.",
      }),
    },
    description:
      'The state of a customer after every change. With `customerId`, the state as it is now comes first. Errors: `authentication_error`; `invalid_request`, param `customerId`; `live_interrupted` if the client may have missed a change: query and subscribe again.',
    subscribe: async (_root, { customerId: followed }, context) => {
      const scope = scopeOf(context);
      if (followed != null) await getState(context.app, scope, followed);
      const source = context.app.live.subscribe('customer-state.updated', scope);
      await source.ready;
      const pick = async ({ customerId }: { readonly customerId: string }) =>
        followed == null || followed === customerId ? customerId : undefined;
      return new LiveStream(context, source, pick, followed ?? undefined);
    },
    resolve: (customerId: string, _args, context) => getState(context.app, scopeOf(context), customerId),
  }),
}));
