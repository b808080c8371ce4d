import { getState } from '../../../domain/billing/customer-state/get-states.ts';
import { positionToResume, type StreamedEvent } from '../../../domain/messages/event/read-events.ts';
import type { CustomerStateChanged } from '../../../domain/messages/event/types.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { CustomerState } from '../types/customer-state.ts';
import { EventStream } from './event-stream.ts';

/** The customer of an event; undefined for an event of another type. */
function customerOf({ type, data }: StreamedEvent): string | undefined {
  return type === 'customer.state_changed' ? (data as unknown as CustomerStateChanged).customerId : undefined;
}

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
      'The state of a customer after every change. Subscribe first, then query the states, so that no change is missed. Errors: `authentication_error`; `live_interrupted` if the client reads too slowly: subscribe and query again.',
    subscribe: async (_root, { customerId }, context) => {
      const position = await positionToResume(context.app.db, scopeOf(context), 'after', undefined);
      return new EventStream(context, position, (event) => {
        const changed = customerOf(event);
        return changed !== undefined && (customerId == null || customerId === changed);
      });
    },
    resolve: (event: StreamedEvent, _args, context) =>
      getState(context.app, scopeOf(context), customerOf(event) ?? ''),
  }),
}));
