import type { Figures } from '../lib/figures.ts';

export const PARTS = ['requests', 'changes'] as const;

export const STATE_FIGURES = {
  get_ratio: {
    what: '`GET /api/customers/{customerId}/state`, requests a second',
    target: '>= 0.6',
    comparedWith: 'the handler by hand',
  },
  not_modified_ratio: {
    what: 'the same with `If-None-Match`, answered 304',
    target: '>= 0.8',
    comparedWith: 'the handler by hand, which reads the version only',
  },
  chain_to_state_p99_ms: {
    what: 'from a confirmed change on chain until the state shows it',
    target: '<= 500',
  },
  chain_to_webhook_p99_ms: { what: 'the same until its webhook arrives', target: '<= 1000' },
  renewal_writes: { what: 'states written while all customers renew', target: '<= 0' },
  get_per_s: { what: 'states a second' },
  get_by_hand_per_s: { what: 'the same by hand' },
  not_modified_per_s: { what: '304 a second' },
  not_modified_by_hand_per_s: { what: 'the same by hand' },
} as const satisfies Figures;
