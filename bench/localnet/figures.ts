import type { Figures } from '../lib/figures.ts';

/** The rates at which updates of the stream are measured, in ascending order. */
export const UPDATE_RATES = [1_000, 2_500, 5_000, 10_000] as const;

/** An update is in time within this. */
export const IN_TIME_MS = 250;

/** What `--only` accepts. */
export const PARTS = ['transfers', 'updates'] as const;

export const LOCALNET_FIGURES = {
  bare_ratio: {
    what: 'processor time of bare LiteSVM for a transfer, divided by that of the network',
    target: '>= 0.3',
    comparedWith: '`bare_us`, `transfer_us`',
  },
  updates_in_time_per_s: {
    what: 'the highest rate at which the p99 of `update_p99_ms_…` is at most 250 ms',
    target: '>= 5000',
  },
  transfer_us: { what: "of the network's process for a transfer by `sendTransaction`, with preflight" },
  bare_us: { what: 'of a process in which LiteSVM runs the same signed transactions, and nothing else' },
  transfers_per_s: { what: 'the transfers, over 32 connections' },
  bare_per_s: { what: 'the same transactions on bare LiteSVM' },
  update_us: { what: "processor time of the network's process for an update of the stream" },
  update_p99_ms_1000: { what: "from the network's write until a stream has it, 1,000 updates a second" },
  update_p99_ms_2500: { what: 'the same, 2,500 updates a second' },
  update_p99_ms_5000: { what: 'the same, 5,000 updates a second' },
  update_p99_ms_10000: { what: 'the same, 10,000 updates a second' },
} as const satisfies Figures;
