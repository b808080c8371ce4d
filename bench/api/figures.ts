import type { Figures } from '../lib/figures.ts';

export const PARTS = ['requests', 'live'] as const;

export const API_FIGURES = {
  graphql_ratio: {
    what: 'a page of 20 subscriptions with customer and plan, requests a second',
    target: '>= 0.5',
    comparedWith: 'the handler by hand',
  },
  graphql_ratio_16: {
    what: 'the same over 16 connections',
    target: '>= 0.38',
    comparedWith: 'the handler by hand',
  },
  peer_ratio: {
    what: 'the same page as `graphql_ratio`, requests a second',
    target: '>= 1',
    comparedWith: 'PostGraphile 5, which checks no key',
  },
  peer_rls_ratio: {
    what: 'the same',
    comparedWith: 'PostGraphile 5 with row-level security by the key',
  },
  rest_ratio: {
    what: '`GET /api/subscriptions`, requests a second',
    target: '>= 0.7',
    comparedWith: 'the handler by hand',
  },
  create_ratio: {
    what: '`createCheckoutSession` by GraphQL, a second',
    target: '>= 0.4',
    comparedWith: '`create_by_hand_per_s`: one insert',
  },
  create_per_s: {
    what: 'the same',
    target: '>= 800',
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
  peer_per_s: { what: 'the same by PostGraphile 5' },
  peer_rls_per_s: { what: 'the same with row-level security' },
  rest_per_s: { what: 'pages by REST' },
  rest_by_hand_per_s: { what: 'the same by hand' },
  create_by_hand_per_s: { what: 'checkout sessions inserted by hand' },
} as const satisfies Figures;
