import type { Figures } from '../lib/figures.ts';

export const FAIR_FIGURES = {
  small_late_p99_ms: {
    what: 'from the due time of a payment of the small merchant to its claim',
    target: '<= 5000',
  },
  large_ratio: {
    what: 'charges a second of the large merchant beside the small one',
    target: '>= 0.9',
    comparedWith: 'the same alone',
  },
  finalized_ratio: {
    what: 'payments finalized a second while more wait; null if none waited',
    target: '>= 1',
    comparedWith: '`charged_per_s`',
  },
  charged_per_s: { what: 'charges a second of both merchants' },
  bytes_per_charge: {
    what: 'growth of the database by a charge that is final, with its receipt and indexes',
  },
} as const satisfies Figures;
