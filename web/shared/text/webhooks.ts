const number = (count: number) => new Intl.NumberFormat().format(count);
const seconds = (ms: number) =>
  new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 3 }).format(ms / 1_000);
const milliseconds = (ms: number) =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit: 'millisecond' }).format(ms);

/** Texts of the endpoint list. The other pages about webhooks have their texts below. */
export const webhooks = {
  title: 'Webhooks',
  description: 'dues sends your server every subscription and payment event, in order and at least once.',
  add: 'Add endpoint',
  endpoints: 'Endpoints',
  endpoint: 'Endpoint',
  health: 'Health',
  receives: 'Events',
  allEvents: 'All events',
  types: (count: number) => `${count} ${count === 1 ? 'type' : 'types'}`,
  created: 'Added',
  empty: 'No endpoints yet',
  emptyHint:
    'Add the URL of your server, and dues posts an event to it when a customer subscribes, pays, fails to pay or cancels. On your own machine, “npx dues listen --forward-to http://localhost:4000/webhooks” does the same without an endpoint.',
  deliveries: 'Deliveries',
  deliveriesHint: 'Every event that is sent to your endpoints, live. Kept for 90 days.',
} as const;

/** Texts of an endpoint's health. */
export const endpointHealth = {
  healthy: 'No failures',
  healthyHint: 'No delivery has failed since the last success.',
  failing: 'Failing',
  failingHint: 'Every delivery has failed since then. After five days dues disables the endpoint.',
  overloaded: 'Overloaded',
  overloadedHint: 'The server was overloaded, so dues waits before it sends more.',
  paused: 'Paused',
  disabled: 'Disabled',
  reasons: {
    MERCHANT: 'You paused it. New events create no deliveries. Replay them after you enable it.',
    GONE: 'Your server responded with 410 Gone, so dues disabled it. Enable it, then replay what it missed.',
    FAILING:
      'Every delivery failed for five days, so dues disabled it. Enable it, then replay what it missed.',
  },
  deleted: 'Deleted',
} as const;

export const endpointForm = {
  addTitle: 'Add endpoint',
  editTitle: 'Change endpoint',
  url: 'URL',
  urlMissing: 'Enter the address of your endpoint, like https://shop.example/webhooks.',
  urlHint: 'A public address of your server. LIVE needs https.',
  events: 'Events',
  all: 'All events, also future types',
  some: 'Only these',
  choose: 'Event types',
  chooseOne: 'Choose at least one event type, or all events.',
  rate: 'Maximum per second',
  rateHint: '1 to 1000. Empty for no limit.',
  concurrency: 'Maximum at the same time',
  concurrencyHint: '1 to 256. At most this many webhooks wait for a response of your server.',
  add: 'Add endpoint',
  save: 'Save',
  saved: 'Endpoint changed.',
} as const;

export const secret = {
  addedTitle: 'Copy the signing secret',
  rotatedTitle: 'Copy the new signing secret',
  hint: 'Shown only now. Your server uses it to verify that a webhook is from dues.',
  rotatedHint: 'Shown only now. For 24 hours, webhooks are signed with the old secret too.',
  label: 'Signing secret',
} as const;

/** Texts of the time after a rotation in which both secrets sign. */
export const overlap = {
  title: 'Two signing secrets are valid',
  text: 'Webhooks are signed with the new and the old secret. The old one is valid until',
  end: 'End it now',
  endTitle: 'End the old secret now?',
  endText:
    'Webhooks are signed with the new secret only, at once. A server that still has the old one refuses them. This cannot be undone.',
  endAction: 'End old secret',
  ended: 'The old secret is no longer valid.',
} as const;

export const webhook = {
  sendTest: 'Send test',
  testTitle: 'Send test webhook',
  testHint: 'dues posts a sample event to this endpoint only. Nothing else changes.',
  type: 'Event type',
  testAction: 'Send',
  details: 'Details',
  receives: 'Events',
  rate: 'Limit',
  perSecond: (count: number) => `${number(count)} per second`,
  noLimit: 'No limit',
  concurrency: 'At the same time, at most',
  created: 'Added',
  id: 'ID',
  lastDay: 'Last 24 hours',
  delivered: ({ delivered, failed, pending }: Record<'delivered' | 'failed' | 'pending', number>) =>
    delivered + failed + pending === 0
      ? 'No delivery'
      : `${number(delivered)} delivered, ${number(failed)} failed, ${number(pending)} pending`,
  duration: 'Response time',
  durations: (p50Ms: number, p95Ms: number) =>
    `Half within ${milliseconds(p50Ms)}, 95% within ${milliseconds(p95Ms)}`,
  pending: 'Pending',
  failed: 'Failed',
  since: 'since',
  until: 'until',
  manage: 'Manage',
  edit: 'Change',
  editHint: 'The URL, the events, the limit.',
  replay: 'Replay',
  replayHint: 'Send past events again.',
  rotate: 'Rotate secret',
  rotateHint: 'The old one works for 24 hours.',
  rotateTitle: 'Rotate the signing secret?',
  rotateText:
    'dues signs with a new secret at once, and for 24 hours with the old one too. Change your server within that time.',
  pause: 'Pause',
  pauseHint: 'Send nothing for now.',
  pauseTitle: 'Pause this endpoint?',
  pauseText:
    'Nothing is sent until you enable it. Pending deliveries wait. New events create no deliveries: replay them afterwards.',
  paused: 'Endpoint paused.',
  enable: 'Enable',
  enableHint: 'Send again, pending deliveries first.',
  enabled: 'Endpoint enabled.',
  remove: 'Delete',
  removeHint: 'Stop permanently. Deliveries stay readable.',
  removeTitle: 'Delete this endpoint?',
  removeText: 'It receives nothing more, and its pending deliveries are cancelled. This cannot be undone.',
  removed: 'Endpoint deleted.',
  isDisabled: 'The endpoint is disabled. Enable it first.',
  isDeleted: 'The endpoint is deleted.',
  verify: 'Verify the signature',
  verifyHint:
    'Verify the received bytes before you parse them. Respond with 2xx before you process the event.',
} as const;

export const replay = {
  title: 'Replay events',
  hint: 'dues counts the events first and sends nothing yet. The events of one subscription stay in order.',
  from: 'From (the time of this device)',
  to: 'Until (the time of this device)',
  results: 'Which events',
  outcomes: {
    FAILED: 'Failed after the last attempt',
    NOT_SENT: 'Never sent: the endpoint was disabled or not added yet (subscription events only)',
    CANCELLED: 'Cancelled: the endpoint no longer received the type',
    SUCCEEDED: 'Already delivered',
  },
  count: 'Count events',
  none: 'No event matches. Choose a longer period or more kinds of events.',
  confirmTitle: (count: number) => `Replay ${number(count)} ${count === 1 ? 'event' : 'events'}?`,
  confirmText: 'They are sent again with the same IDs, so your server can recognise repeats.',
  action: (count: number) => `Replay ${number(count)} ${count === 1 ? 'event' : 'events'}`,
  done: (count: number) => `${number(count)} ${count === 1 ? 'event is' : 'events are'} sent again.`,
} as const;

export const deliveries = {
  event: 'Event',
  endpoint: 'Endpoint',
  status: 'Status',
  response: 'Response',
  attempts: 'Attempts',
  attemptCount: (count: number) => (count === 0 ? 'None yet' : number(count)),
  created: 'Created',
  code: 'Response status',
  subscription: 'Subscription',
  subscriptionPlaceholder: 'Address or ID',
  from: 'From',
  to: 'Until',
  replayed: 'Replay',
  noResponse: 'No response',
  empty: 'No deliveries yet',
  emptyHint: 'Send a test to see what your server receives and how it responds.',
} as const;

export const delivery = {
  resend: 'Resend',
  resent: 'Webhook resent.',
  isDisabled: 'Its endpoint is disabled. Enable it first.',
  isDeleted: 'Its endpoint is deleted.',
  to: 'to',
  states: {
    SUCCEEDED: 'Your server confirmed it.',
    FAILED: 'All ten attempts failed, and dues does not retry it. Resend it when your server works.',
    CANCELLED: 'The endpoint no longer received this event type, or was deleted.',
  },
  waits: 'It waits for an earlier event of its subscription, or for its endpoint to be enabled.',
  next: 'Next attempt',
  attempts: 'Attempts',
  attemptsHint: 'Choose one to see its request and response.',
  noAttempt: 'Not sent yet. The first attempt appears here at once.',
  attempt: (count: number) => `Attempt ${count}`,
  running: 'Running',
  interrupted: 'Interrupted',
  request: 'Request',
  requestHint: (attempt: number) =>
    `As sent in attempt ${attempt}. The body is the same on every attempt, the signature is new.`,
  unansweredHint: (attempt: number) =>
    `Prepared for attempt ${attempt}, which had no response. The body is the same on every attempt, the signature is new.`,
  bodyHint: 'The body, the same on every attempt.',
  headers: 'Headers',
  headersLater: 'Known when the attempt has ended.',
  noHeaders:
    'Not recorded: the attempt was interrupted, was not sent, or was made before version 0.2.0. Members who can only read see them after five minutes.',
  urlNow: 'The URL of the endpoint now:',
  signedHow:
    'The key of x-webhook-signature is the signing secret of the endpoint: HMAC-SHA256 of the time, a dot and the body. Libraries accept it for five minutes.',
  copyAsCurl: 'Copy as curl',
  response: 'Response',
  responseHint: (attempt: number) => `Your server’s response to attempt ${attempt}; the first 4 kB.`,
  status: (code: number) => `Status ${code}`,
  took: (ms: number) => `${seconds(ms)} s`,
  emptyBody: 'The response had no body.',
  body: 'Body',
  details: 'Details',
  event: 'Event',
  endpoint: 'Endpoint',
  subscription: 'Subscription',
  created: 'Created',
  replay: 'Sent by a replay',
  yes: 'Yes',
  id: 'ID',
} as const;
