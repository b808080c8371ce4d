import type { Figures } from '../lib/figures.ts';

export const WEBHOOKS_FIGURES = {
  deliveries_per_s: {
    what: '10,000 events recorded at once, until all are delivered and settled',
    target: '>= 1000',
    comparedWith: '`bare_posts_per_s`',
  },
  deliveries_per_s_redis: { what: 'the same with the jobs in Redis', target: '>= 1000' },
  p99_ms: {
    what: "200 events a second, from an event's commit until the server has it",
    target: '< 250',
  },
  hang_effect: {
    what: 'p99 of nineteen endpoints while the twentieth never answers',
    target: '< 1.1',
    comparedWith: 'the same without the silent endpoint, same round',
  },
  growth: {
    what: 'median from commit to receipt while a million deliveries wait',
    target: '< 1.3',
    comparedWith: 'the same without waiting deliveries, same round',
  },
  p50_ms: { what: 'the median of the same times as `p99_ms`' },
  bare_posts_per_s: { what: 'the same bodies posted by `node:http`, 32 at once, and nothing else' },
} as const satisfies Figures;
