import type { Figures } from '../lib/figures.ts';

export const QUERIES_FIGURES = {
  worst_ms: { what: 'the slowest statement in the large database, median', target: '<= 50' },
  worst_growth: {
    what: 'time of a statement in the large database, of times above 2 ms; the worst',
    target: '<= 2',
    comparedWith: 'the same in the small one',
  },
  relay_per_s: {
    what: 'events per second of one process that relays the backlog while a transaction stays open',
    target: '>= 2500',
  },
} as const satisfies Figures;
