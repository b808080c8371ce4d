const number = new Intl.NumberFormat();
const subscriptions = (count: number) =>
  `${number.format(count)} ${count === 1 ? 'subscription' : 'subscriptions'}`;

export const overview = {
  title: 'Overview',
  description: 'Your recurring revenue, and what needs attention.',
  range: 'Period',
  ranges: { 7: '7 days', 30: '30 days', 90: '90 days' },
  plan: 'Plan',
  allPlans: 'All plans',
  mrr: 'Monthly recurring revenue',
  mrrShort: 'MRR',
  mrrDefinition: 'What active and past-due subscriptions pay in 30 days.',
  mrrBefore: (amount: string, days: number) => `${amount} ${days} days ago`,
  collected: 'Collected',
  collectedDefinition: 'Payments collected in the period, before refunds.',
  collectedBefore: (amount: string, days: number) => `${amount} in the ${days} days before`,
  refunded: (amount: string) => `${amount} refunded`,
  perDay: (unit: string) => `${unit} per day`,
  attemptsPerDay: 'Attempts per day',
  subscriptionsPerDay: 'Subscriptions per day',
  inUnit: (label: string, unit: string) => `${label} in ${unit}`,
  viewPastDue: 'Past due',
  viewPlans: 'Plans',
  viewFailed: 'Payments with too low a balance',
  viewCancelled: 'Cancelled',
  active: 'Active subscriptions',
  activeDefinition: 'Subscriptions that are active at the end of the last day.',
  new: 'New',
  newTitle: 'New subscriptions',
  newDefinition: 'Subscriptions that started in the period.',
  churnRate: 'Churn rate',
  churnDefinition: 'Subscriptions that ended in the period, compared with those at its start.',
  failed: 'Failed attempts',
  failedDefinition: 'Attempts in the period that failed because the customer could not pay.',
  resumed: 'Resumed',
  churned: 'Churned',
  movement: 'Subscriptions by day',
  movementHint: 'New and resumed above the line, ended below it.',
  failures: 'Failed attempts by reason',
  noFailure: 'No attempt failed in this period.',
  afterFailure: (paid: number, expired: number, amount: string | undefined) =>
    `After a failure, ${subscriptions(paid)} paid${paid > 0 && amount ? ` (${amount})` : ''} and ${subscriptions(expired)} expired.`,
  feed: 'Live',
  feedHint: 'Events as they happen.',
  feedEmpty: 'No events yet',
  feedEmptyHint: 'New subscriptions, payments and failures appear here at once.',
  pause: 'Pause',
  resume: 'Resume',
  allEvents: 'All events',
  problems: 'Needs attention',
  endpointFailing: (url: string) => `The webhook endpoint ${url} is failing.`,
  endpointDisabled: (url: string) =>
    `The webhook endpoint ${url} is disabled because it failed for too long.`,
  collectors: {
    CURRENT: {
      warn: 'The collector’s balance lasts less than a week.',
      bad: 'The collector is out of SOL: nothing is collected.',
    },
    PREVIOUS: {
      warn: 'The balance of the previous collector lasts less than a week.',
      bad: 'The previous collector is out of SOL: plans that name only it are not collected.',
    },
  },
  clusterSilent: 'The cluster is not responding: payments wait.',
  mirror: {
    BEHIND: 'dues is behind the chain: the latest changes are not processed yet.',
    SILENT: 'dues has seen no block for a minute: changes on chain are delayed.',
    NEVER: 'dues does not follow the chain in this environment yet.',
  },
  view: 'View',
  noData: 'No subscriptions yet',
  noDataHint: 'Publish a plan and open a checkout. The charts start with the first payment.',
  noDataWithPlanHint: 'Open a checkout of a plan. The charts start with the first payment.',
  createPlan: 'Create plan',
  openPlans: 'Choose a plan',
  upcoming: 'Upcoming payments',
  upcomingHint: 'Due if nobody cancels.',
  nothingUpcoming: 'Nothing is due in the next 30 days.',
  nextUpcoming: 'The next payment is due on',
  nextDay: (day: string) => `Next: ${day}`,
  within: { 7: 'Next 7 days', 30: 'Next 30 days' },
  charges: (count: number) =>
    count === 0
      ? 'No payments'
      : `${new Intl.NumberFormat().format(count)} ${count === 1 ? 'payment' : 'payments'}`,
  short: (short: number, checked: number) =>
    `${new Intl.NumberFormat().format(short)} of ${new Intl.NumberFormat().format(checked)} ${checked === 1 ? 'wallet' : 'wallets'} could not pay now`,
  noneShort: 'All wallets could pay now',
  shortHint: (checked: string) => `Only the first ${checked} subscriptions that are due are checked.`,
  checkouts: 'Checkouts',
  conversion: (completed: number, created: number, rate: string) =>
    `${new Intl.NumberFormat().format(completed)} of ${new Intl.NumberFormat().format(created)} were completed: ${rate}.`,
  noCheckout: 'No checkouts in this period.',
  completed: 'Completed',
  stillOpen: 'Still open',
  abandoned: 'Expired',
  otherTokens: (count: number) => `and ${count} more ${count === 1 ? 'token' : 'tokens'}`,
} as const;

/** Texts of the feed. */
export const feedText = {
  from: (amount: string, customer: string) => `${amount} from ${customer}`,
  to: (amount: string, customer: string) => `${amount} to ${customer}`,
  /** Shorter than the names of events, because the amount says that it is a payment. */
  outcomes: {
    'subscription.payment_succeeded': 'Collected',
    'subscription.payment_failed': 'Failed',
    'subscription.payment_missed': 'Missed',
    'subscription.payment_reversed': 'Reversed',
    'payment.refunded': 'Refunded',
  } as Readonly<Record<string, string>>,
} as const;

/** The name of each event type. */
export const eventNames: Readonly<Record<string, string>> = {
  'subscription.created': 'New subscription',
  'subscription.payment_succeeded': 'Payment collected',
  'subscription.payment_failed': 'Payment failed',
  'subscription.payment_missed': 'Payment missed',
  'subscription.payment_reversed': 'Payment reversed',
  'subscription.cancellation_scheduled': 'Cancellation at the end of the period',
  'subscription.cancellation_undone': 'Cancellation undone',
  'subscription.cancelled': 'Subscription cancelled',
  'subscription.expired': 'Subscription expired',
  'subscription.resumed': 'Subscription resumed',
  'payment.refunded': 'Payment refunded',
  'payment.refunded_again': 'Refund sent again',
  'checkout.subscribed_again': 'Subscribed twice',
  'endpoint.disabled': 'Webhook endpoint disabled',
  'endpoint.test': 'Webhook test',
  'service.restored': 'Database restored',
};
