import { API_FIGURES, PARTS as API_PARTS } from './api/figures.ts';
import { COLLECT_FIGURES, PARTS as COLLECT_PARTS } from './collect/figures.ts';
import { CUSTOMER_FIGURES, PARTS as CUSTOMER_PARTS } from './customer/figures.ts';
import { DASHBOARD_FIGURES, PARTS as DASHBOARD_PARTS } from './dashboard/figures.ts';
import { DISCOUNTS_FIGURES } from './discounts/figures.ts';
import { FAIR_FIGURES } from './fair/figures.ts';
import { FLOOD_FIGURES, PARTS as FLOOD_PARTS } from './flood/figures.ts';
import type { Figures, Measured } from './lib/figures.ts';
import { LOCALNET_FIGURES, PARTS as LOCALNET_PARTS } from './localnet/figures.ts';
import { QUERIES_FIGURES } from './queries/figures.ts';
import { SHARED_FIGURES, PARTS as SHARED_PARTS } from './shared/figures.ts';
import { STATE_FIGURES, PARTS as STATE_PARTS } from './state/figures.ts';
import { STREAM_FIGURES } from './stream/figures.ts';
import { WEBHOOKS_FIGURES } from './webhooks/figures.ts';

/** A bench, as `npm run bench` offers it. */
interface Bench {
  readonly measures: string;
  readonly figures: Figures;
  /** What `--only` accepts. */
  readonly parts?: readonly string[];
  load(): Promise<{ readonly default: (options: never) => Promise<Measured<Figures>> }>;
}

/** All benches by name. Each prints its progress, and returns its figures. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  api: {
    measures: 'pages of GraphQL and REST, and live sockets',
    figures: API_FIGURES,
    parts: API_PARTS,
    load: () => import('./api/main.ts'),
  },
  flood: {
    measures: 'latency of merchants while the API is flooded, and while strangers attack',
    figures: FLOOD_FIGURES,
    parts: FLOOD_PARTS,
    load: () => import('./flood/main.ts'),
  },
  collect: {
    measures: 'payments collected per second',
    figures: COLLECT_FIGURES,
    parts: COLLECT_PARTS,
    load: () => import('./collect/main.ts'),
  },
  shared: {
    measures: 'how evenly four workers share due work',
    figures: SHARED_FIGURES,
    parts: SHARED_PARTS,
    load: () => import('./shared/main.ts'),
  },
  fair: {
    measures: 'a merchant with few due payments beside one with 100,000',
    figures: FAIR_FIGURES,
    load: () => import('./fair/main.ts'),
  },
  customer: {
    measures: 'customers: how they buy, their pages, and top-ups',
    figures: CUSTOMER_FIGURES,
    parts: CUSTOMER_PARTS,
    load: () => import('./customer/main.ts'),
  },
  dashboard: {
    measures: 'the dashboard in a browser: the story of a merchant, then live data, scores and lists',
    figures: DASHBOARD_FIGURES,
    parts: DASHBOARD_PARTS,
    load: () => import('./dashboard/main.ts'),
  },
  discounts: {
    measures: 'a thousand checkouts that ask at the same time for a discount for a hundred',
    figures: DISCOUNTS_FIGURES,
    load: () => import('./discounts/main.ts'),
  },
  localnet: {
    measures: 'transfers and updates of the local network, compared with bare LiteSVM',
    figures: LOCALNET_FIGURES,
    parts: LOCALNET_PARTS,
    load: () => import('./localnet/main.ts'),
  },
  queries: {
    measures: 'the hot queries on a filled database',
    figures: QUERIES_FIGURES,
    load: () => import('./queries/main.ts'),
  },
  state: {
    measures: 'what customers may do: requests, and how soon a change on chain is told',
    figures: STATE_FIGURES,
    parts: STATE_PARTS,
    load: () => import('./state/main.ts'),
  },
  stream: {
    measures: 'updates that the indexer applies per second',
    figures: STREAM_FIGURES,
    load: () => import('./stream/main.ts'),
  },
  webhooks: {
    measures: 'webhooks delivered per second',
    figures: WEBHOOKS_FIGURES,
    load: () => import('./webhooks/main.ts'),
  },
};
