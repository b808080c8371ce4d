/** Texts of the list of events, and of one event. */
export const events = {
  title: 'Events',
  description: 'Everything that happened, newest first. Events are kept for good.',
  type: 'Type',
  event: 'Event',
  subject: 'About',
  sequence: 'Number',
  happened: 'Happened',
  subscription: 'Subscription',
  subscriptionPlaceholder: 'Address or id',
  from: 'From',
  to: 'Until',
  pause: 'Pause',
  resume: 'Continue',
  held: (count: number) => `Continue: ${new Intl.NumberFormat().format(count)} new`,
  trigger: 'Trigger an event',
  triggerTitle: 'Trigger a sample event',
  triggerHint:
    'dues records a sample event and sends it to your endpoints. It changes no subscription and moves no money.',
  triggerAction: 'Trigger',
  empty: 'Nothing has happened yet',
  emptyHint: 'Every new subscription, payment and failure shows here at once.',
} as const;

export const event = {
  payload: 'Data',
  payloadHint: 'The “data” of the webhook’s body.',
  details: 'Details',
  type: 'Type',
  happened: 'Happened',
  sequence: 'Number for its subscription',
  subscription: 'Subscription',
  id: 'Id',
  deliveries: 'Deliveries',
  deliveriesHint: 'One per endpoint. Kept for 90 days.',
  resendColumn: 'Resend',
  noDeliveries: 'No endpoint received it. Replay it from the page of an endpoint to send it now.',
  resend: 'Resend to “dues listen”',
  resendTitle: 'Sends it to connected clients, for example “dues listen” on your machine.',
  resent: 'The event is sent to connected clients.',
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
  'subscription.resumed': 'The customer took back a cancellation.',
  'payment.refunded': 'A refund is final on chain.',
  'endpoint.disabled': 'dues disabled an endpoint.',
  'endpoint.test': 'You sent a test.',
};
