import type { Figures } from '../lib/figures.ts';

export const PARTS = ['deliveries', 'payments'] as const;

export const SHARED_FIGURES = {
  deliveries_spread: {
    what: '1 - deliveries of the worker with fewest',
    target: '<= 0.15',
    comparedWith: 'those of the worker with most',
  },
  endpoint_workers: {
    what: 'workers that made at least a tenth of the deliveries to one endpoint',
    target: '>= 4',
  },
  payments_spread: { what: '`deliveries_spread` for payments', target: '<= 0.15' },
  deliveries_twice: { what: 'deliveries that were claimed more than once', target: '<= 0' },
  payments_twice: { what: 'payments that were claimed more than once', target: '<= 0' },
} as const satisfies Figures;
