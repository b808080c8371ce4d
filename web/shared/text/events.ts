/** Texts of the event list and of one event's page. */
export const events = {
  title: 'Events',
  description: 'Everything that happened, newest first. Events are never deleted.',
  type: 'Type',
  event: 'Event',
  subject: 'About',
  sequence: 'Number',
  happened: 'Time',
  subscription: 'Subscription',
  subscriptionPlaceholder: 'Address or ID',
  from: 'From',
  to: 'Until',
  pause: 'Pause',
  resume: 'Resume',
  held: (count: number) => `Resume: ${new Intl.NumberFormat().format(count)} new`,
  trigger: 'Trigger an event',
  triggerTitle: 'Trigger a sample event',
  triggerHint:
    'dues records a sample event and sends it to your endpoints. It changes no subscription and moves no money.',
  triggerAction: 'Trigger',
  empty: 'No events yet',
  emptyHint: 'New subscriptions, payments and failures appear here at once.',
} as const;

export const event = {
  payload: 'Data',
  payloadHint: 'The “data” field of the webhook body.',
  details: 'Details',
  type: 'Type',
  happened: 'Time',
  sequence: 'Number in its subscription',
  subscription: 'Subscription',
  id: 'ID',
  deliveries: 'Deliveries',
  deliveriesHint: 'One per endpoint. Kept for 90 days.',
  resendColumn: 'Resend',
  noDeliveries: 'No endpoint received it. To send it now, replay it from an endpoint’s page.',
  resend: 'Resend to “dues listen”',
  resendTitle: 'Sends it to connected clients, for example “dues listen” on your machine.',
  resent: 'Event sent to connected clients.',
} as const;

/** When an event of each type happens. */
export const eventHints: Readonly<Record<string, string>> = {
  'subscription.created': 'A checkout was completed.',
  'subscription.payment_succeeded': 'A payment was collected.',
  'subscription.payment_failed': 'The customer could not pay.',
  'subscription.payment_missed': 'A period ended without a payment.',
  'subscription.payment_reversed': 'The cluster rolled back a payment.',
  'subscription.cancelled': 'It will not be charged again.',
  'subscription.expired': 'It ended after too many failures.',
  'subscription.resumed': 'The customer undid a cancellation.',
  'payment.refunded': 'A refund is final on chain.',
  'payment.refunded_again': 'A refund was sent once more: the customer got too much.',
  'checkout.subscribed_again': 'A second wallet subscribed for a completed checkout.',
  'endpoint.disabled': 'dues disabled an endpoint.',
  'endpoint.test': 'You sent a test.',
};
