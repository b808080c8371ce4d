import type { Figures } from '../lib/figures.ts';

export const PARTS = ['requests', 'live'] as const;

export const API_FIGURES = {
  graphql_ratio: {
    what: 'a page of 20 subscriptions with customer and plan, requests a second',
    target: '>= 0.35',
    comparedWith: 'the handler by hand',
  },
  rest_ratio: {
    what: '`GET /api/subscriptions`, requests a second',
    target: '>= 0.5',
    comparedWith: 'the handler by hand',
  },
  create_per_s: {
    what: '`createCheckoutSession` by GraphQL',
    target: '>= 800',
    comparedWith: '`create_by_hand_per_s`: one insert',
  },
  page_growth: {
    what: 'a page by cursor from the middle of a million subscriptions, median time',
    target: '<= 1.3',
    comparedWith: 'the same with a thousand',
  },
  idle_sockets_mb: { what: 'resident memory with 5,000 live sockets, each subscribed', target: '< 400' },
  live_p99_ms: {
    what: "from an event's transaction until each of 1,000 sockets has it",
    target: '< 250',
  },
  graphql_per_s: { what: 'pages by GraphQL' },
  graphql_by_hand_per_s: { what: 'the same by hand' },
  rest_per_s: { what: 'pages by REST' },
  rest_by_hand_per_s: { what: 'the same by hand' },
  create_by_hand_per_s: { what: 'checkout sessions inserted by hand' },
} as const satisfies Figures;
