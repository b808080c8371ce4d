import type { Figures } from '../lib/figures.ts';

export const PARTS = ['connections', 'strangers'] as const;

/** The attacks of strangers. `stranger-attacks.ts` has one of each name. */
export const STRANGER_ATTACK_NAMES = ['a1', 'a2', 'a3', 'a4', 'a5'] as const;

export const FLOOD_FIGURES = {
  proxied_p99_ms: {
    what: "p99 of the merchants' requests behind the proxy, the worst of the 28 floods",
    target: '< 100',
  },
  proxied_ratio: {
    what: 'p99 in a flood behind the proxy, the worst of the floods',
    target: '< 3',
    comparedWith: 'p99 beside an equally busy process',
  },
  victim_p99_ms: { what: "p99 of the merchants' requests without a proxy, the worst of the 28 floods" },
  victim_ratio: {
    what: 'p99 in a flood without a proxy, the worst of the floods',
    comparedWith: 'p99 beside an equally busy process',
  },
  rss_growth_mb: {
    what: 'maximum resident memory in a flood, minus that before all floods',
    target: '< 200',
  },
  victim_p50_ms: { what: 'the median of the same requests, the worst of the floods' },
  refused_per_s: { what: 'refusals that the flooder received, in the flood with the most' },
  idle_p99_ms: { what: 'p99 without a flood, the best of the pauses between floods' },
  attack_ratio: {
    what: 'p99 of honest callers in an attack, the worst of the attacks',
    target: '<= 3',
    comparedWith: 'p99 before and after it',
  },
  attack_refused: {
    what: 'requests of honest callers that were not served, in the worst attack',
    target: '<= 0',
  },
  honest_collected_s: {
    what: "from the due time of honest payments in the attacker's claim until collected",
    target: '<= 10',
  },
  position_s: {
    what: 'in `a4`, until the stored position of the mirror has passed a later slot',
    target: '<= 10',
  },
  attack_p99_ms: { what: 'the p99, in the worst attack' },
} as const satisfies Figures;
