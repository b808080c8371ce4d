/**
 * The ranking of search hits. Long pages are penalised less than by default, because they have most
 * of the answers.
 */
export const RANKING = { pageLength: 0.4, termFrequency: 1, termSaturation: 1.4, termSimilarity: 1 };

/** Search queries of newcomers, each with the pages that answer it. */
export const QUESTIONS: readonly (readonly [query: string, ...pages: string[]])[] = [
  ['getting started', 'guides/first-subscription', 'start/merchant', 'start/contributor', ''],
  ['first subscription', 'guides/first-subscription'],
  [
    'create a checkout',
    'rest/operations/createcheckoutsession',
    'guides/first-subscription',
    'start/merchant',
    'api-graphql',
  ],
  ['create a plan', 'api-graphql', 'graphql/mutations'],
  ['verify webhook signature', 'webhooks', 'guides/webhooks-in-six-languages'],
  ['webhook python', 'guides/webhooks-in-six-languages'],
  ['webhook php', 'guides/webhooks-in-six-languages'],
  ['webhook retry schedule', 'webhooks'],
  ['resend webhook', 'webhooks', 'graphql/mutations'],
  ['test webhooks on localhost', 'webhooks', 'guides/first-subscription', 'guides/webhooks-in-six-languages'],
  ['rate limit', 'api', 'contract', 'decisions/0008-rate-limit-counters'],
  ['idempotency key', 'api'],
  ['error codes', 'api'],
  ['api key scopes', 'api'],
  ['rotate api key', 'api', 'graphql/mutations'],
  [
    'cancel a subscription',
    'start/merchant',
    'portal',
    'graphql/mutations',
    'guides/migrate-away',
    'guides/from-stripe-billing',
  ],
  ['past due', 'start/merchant', 'graphql/enums', 'webhooks'],
  [
    'failed payment retry',
    'webhooks',
    'guides/test-clocks',
    'guides/from-stripe-billing',
    'graphql/mutations',
  ],
  ['free trial', 'start/merchant', 'api', 'guides/from-stripe-billing'],
  ['test clock', 'guides/test-clocks'],
  ['move time', 'guides/test-clocks'],
  ['go live mainnet', 'guides/going-live'],
  ['migrate from stripe', 'guides/from-stripe-billing'],
  ['export csv', 'api-graphql', 'guides/migrate-away', 'guides/from-stripe-billing'],
  ['leave dues', 'guides/migrate-away'],
  ['wallet app deep link', 'start/customer-app'],
  ['live updates websocket', 'api-live', 'graphql/live-updates'],
  ['monthly recurring revenue', 'metrics', 'start/merchant'],
  ['prometheus alerts', 'operations', 'deployment'],
  ['collector key', 'operations', 'start/operator', 'guides/going-live'],
  ['update without downtime', 'operations'],
  ['invite team member', 'dashboard-sign-in', 'graphql/mutations'],
];
