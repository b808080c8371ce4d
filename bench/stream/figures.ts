import type { Figures } from '../lib/figures.ts';

export const STREAM_FIGURES = {
  updates_per_s: {
    // The written rate is the maximum. One burst more or less is an inaccuracy of the clock.
    what: 'updates applied, of 5,000 written a second',
    target: '>= 4900',
    comparedWith: '`one_by_one_per_s`',
  },
  update_p99_ms: { what: "from the network's write until the row is committed", target: '< 250' },
  backlog_s: {
    what: "from the indexer's start until 100,000 updates that it missed are applied",
    target: '< 30',
  },
  snapshot_s: { what: 'from its start until 100,000 subscriptions are mirrored', target: '< 20' },
  live_p99_ms: {
    what: "from the network's write of a cancellation until a GraphQL subscriber receives it",
    target: '< 100',
  },
  memory_growth_mb: { what: 'resident memory, from the first paced round to the last' },
  one_by_one_per_s: { what: 'the same rows, one statement each on one connection' },
} as const satisfies Figures;
