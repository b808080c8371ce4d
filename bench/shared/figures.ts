import type { Figures } from '../lib/figures.ts';

export const PARTS = ['deliveries', 'payments'] as const;

export const SHARED_FIGURES = {
  deliveries_spread: {
    what: '1 - deliveries of the worker with fewest',
    target: '<= 0.15',
    comparedWith: 'those of the worker with most',
  },
  payments_spread: { what: 'the same for payments', target: '<= 0.15' },
  deliveries_twice: { what: 'deliveries that were claimed more than once', target: '<= 0' },
  payments_twice: { what: 'payments that were claimed more than once', target: '<= 0' },
} as const satisfies Figures;
