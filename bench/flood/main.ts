import type { Measured } from '../lib/figures.ts';
import { ATTACKS } from './attacks.ts';
import { type FloodResult, measureConnections, type OnlyFlood } from './connections.ts';
import type { FLOOD_FIGURES, PARTS } from './figures.ts';
import { measureStrangers, type StrangerResult } from './strangers.ts';

/** A part alone, or one attack alone: `npm run bench -- flood --attack a1`. */
interface Only extends OnlyFlood {
  readonly only?: (typeof PARTS)[number];
}

type Figures = Measured<typeof FLOOD_FIGURES>;

/**
 * Measures how merchants are served while others flood the API with connections and requests, and
 * while strangers use what the chain lets them name.
 */
export default async function benchFlood(only: Only): Promise<Figures> {
  const isConnections = only.attack !== undefined && only.attack in ATTACKS;
  const isStrangers = only.attack !== undefined && !isConnections;
  const parts = {
    connections: only.only !== 'strangers' && !isStrangers,
    strangers: only.only !== 'connections' && !isConnections && !only.store && !only.from && !only.behind,
  };
  const floods = parts.connections ? await measureConnections(only) : [];
  const attacks = parts.strangers ? await measureStrangers(only.attack) : [];
  if (floods.length + attacks.length === 0) throw new Error('no flood matches the options');
  for (const results of [floods, attacks]) if (results.length > 0) console.table(results);
  const victims = only.behind === 'proxy' ? proxiedVictims(floods) : victimFigures(floods);
  return { ...victims, ...floodFigures(floods), ...attackFigures(attacks) };
}

/** Without a proxy a flood may delay merchants, so their latency has a target only behind it. */
function victimFigures(floods: readonly FloodResult[]): Figures {
  if (floods.length === 0) return {};
  return {
    victim_p99_ms: Math.max(...floods.map(({ p99Ms }) => p99Ms)),
    victim_ratio: Math.max(...floods.map(({ ratio }) => ratio)),
  };
}

function proxiedVictims(floods: readonly FloodResult[]): Figures {
  const { victim_p99_ms, victim_ratio } = victimFigures(floods);
  return { proxied_p99_ms: victim_p99_ms, proxied_ratio: victim_ratio };
}

function floodFigures(floods: readonly FloodResult[]): Figures {
  if (floods.length === 0) return {};
  return {
    victim_p50_ms: Math.max(...floods.map(({ p50Ms }) => p50Ms)),
    rss_growth_mb: Math.max(...floods.map(({ growthMb }) => growthMb)),
    refused_per_s: Math.max(...floods.map(({ refusedPerS }) => refusedPerS)),
    idle_p99_ms: Math.min(...floods.map(({ idleP99Ms }) => idleP99Ms)),
  };
}

/** Figures of effects that were not measured are left out. */
function attackFigures(attacks: readonly StrangerResult[]): Figures {
  if (attacks.length === 0) return {};
  const worst = (name: string, values: readonly (number | undefined)[]) => {
    const measured = values.filter((value) => value !== undefined);
    return measured.length > 0 ? { [name]: Math.max(...measured) } : {};
  };
  return {
    attack_ratio: Math.max(...attacks.map(({ ratio }) => ratio)),
    attack_p99_ms: Math.max(...attacks.map(({ p99Ms }) => p99Ms)),
    attack_refused: Math.max(...attacks.map(({ refused }) => refused)),
    ...worst(
      'honest_collected_s',
      attacks.map(({ honestCollectedS }) => honestCollectedS),
    ),
    ...worst(
      'position_s',
      attacks.map(({ positionS }) => positionS),
    ),
  };
}
