import { type EventData, type EventType, eventTypes } from '../event/types.ts';
import { sampleEvents } from './sample-events.ts';

/** An event type that merchants can choose for an endpoint. */
export interface EventTypeInfo {
  readonly type: EventType;
  readonly description: string;
  /** Sample data, in the shape of real events. */
  readonly sample: EventData[EventType];
}

const DESCRIPTIONS: Readonly<Record<EventType, string>> = {
  'subscription.created': 'A checkout was completed: provide access.',
  'subscription.payment_succeeded':
    'A payment was collected. After a failure it also means that the subscription is active again.',
  'subscription.payment_failed': 'The payer could not pay. The payment is retried.',
  'subscription.payment_missed': 'A period ended without a collection and without a failure of the payer.',
  'subscription.payment_waived': 'Nothing is collected for a period: it is paused, free, or waived by you.',
  'subscription.payment_reversed': 'The cluster rolled a payment back. Another event follows.',
  'subscription.cancellation_scheduled':
    'The subscription is cancelled at the end of the paid period. Keep access until then.',
  'subscription.cancellation_undone': 'A cancellation at the end of the period was taken back.',
  'subscription.cancelled': 'The subscription will not be charged again: revoke access at `accessUntil`.',
  'subscription.expired': 'Too many consecutive failures: revoke access and offer to subscribe again.',
  'subscription.resumed': 'The customer resumed the subscription before its cancellation took effect.',
  'subscription.paused': 'Nothing is collected from `pausedFrom` to `pausedUntil`.',
  'subscription.unpaused': 'A pause is over: payments are collected again.',
  'payment.refunded': 'A refund that your wallet sent is final on chain. A payment may have several refunds.',
  'payment.refunded_again':
    'Your wallet sent a refund once more that was already paid: ask for the money back.',
  'checkout.subscribed_again':
    'A second wallet subscribed for a completed checkout. It is not charged: ask the customer to cancel and close it.',
  'customer.state_changed': 'What a customer may do has changed: keep the state with the highest version.',
  'discount.used_up': 'The last redemption of a discount was used: new customers get it no more.',
  'endpoint.disabled': 'dues disabled a webhook endpoint. It is never sent to the endpoint itself.',
  'endpoint.test': 'You tested an endpoint.',
  'service.restored':
    'The database of the service may have lost its newest rows: repeat what you changed in that time.',
};

const SAMPLES = {
  ...sampleEvents,
  'discount.used_up': {
    discountId: '00000000-0000-7000-8000-000000000000',
    name: 'Spring',
    code: 'SPRING',
    maxRedemptions: 100,
  },
  'endpoint.disabled': {
    endpointId: '00000000-0000-7000-8000-000000000000',
    url: 'https://shop.example/webhooks',
    reason: 'FAILING',
    failingSince: '2026-01-01T00:00:00.000Z',
  },
  'endpoint.test': { endpointId: '00000000-0000-7000-8000-000000000000' },
  'service.restored': { lostFrom: '2026-01-01T00:00:00.000Z', lostUntil: '2026-01-01T00:00:05.000Z' },
} as const satisfies { readonly [T in EventType]: EventData[T] };

/** All event types, in the order of the documentation. */
export const eventTypeInfos: readonly EventTypeInfo[] = eventTypes.map((type) => ({
  type,
  description: DESCRIPTIONS[type],
  sample: SAMPLES[type],
}));
