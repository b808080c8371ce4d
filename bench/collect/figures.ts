import type { Figures } from '../lib/figures.ts';

export const PARTS = ['charges', 'lines', 'lateness', 'idle', 'sweep'] as const;

export const COLLECT_FIGURES = {
  charges_per_s: {
    what: 'charges a second, from due to settled, median of three runs',
    target: '>= 500',
    comparedWith: '`bare_send_per_s`',
  },
  packing_ratio: {
    what: 'charges a second',
    target: '>= 10',
    comparedWith: '`charges_per_s_one_per_tx`',
  },
  charges_per_s_one_per_tx: { what: 'the same worker, one payment per transaction' },
  bare_send_per_s: { what: 'one pull per transaction, only sent, signed before' },
  lamports_per_charge: { what: 'fees, version 1', target: '<= 300' },
  lamports_per_charge_v0: { what: 'fees, version 0', target: '<= 1250' },
  charges_ratio_before: {
    what: 'charges a second of plain plans; null without the history of this repository',
    target: '>= 0.97',
    comparedWith: 'a worker of the commit before payments had lines, on the same database',
  },
  charges_ratio_lines: {
    what: 'charges a second, half of them with two lines',
    target: '>= 0.9',
    comparedWith: 'those of plain plans',
  },
  cpu_ms_per_charge: {
    what: 'processor time of a charge of plain plans: worker and PostgreSQL',
    target: '<= 1',
    comparedWith: '`cpu_ms_per_charge_before`',
  },
  cpu_ms_per_charge_before: { what: 'the same of the worker before payments had lines' },
  due_late_p99_ms: { what: 'from the due time to the claim, 200 a second', target: '<= 250' },
  retry_late_p99_ms: { what: 'the same for retries', target: '<= 250' },
  idle_tx_per_s: {
    what: 'database transactions: all roles, 100,000 subscriptions, none due, no Redis',
    target: '<= 5',
  },
  sweep_ms_10k: { what: 'to find and claim 100 due payments among 10,000', target: '< 10' },
  sweep_ms_1m: { what: 'the same among a million', target: '< 10' },
  sweep_growth: { what: '`sweep_ms_1m`', target: '<= 1.2', comparedWith: '`sweep_ms_10k`' },
} as const satisfies Figures;
