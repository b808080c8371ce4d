import { ATTACKS } from './flood-attacks.ts';
import { type FloodResult, measureConnections, type OnlyFlood } from './flood-connections.ts';
import { measureStrangers, type StrangerResult } from './flood-strangers.ts';

/** The targets of all floods and attacks. */
const TARGETS = {
  p99Ms: 100,
  ratio: 3,
  growthMb: 200,
  attackRatio: 3,
  attackRefused: 0,
  collectedS: 10,
  positionS: 10,
};

/** A part alone, or one attack alone: `npm run bench -- flood --attack a1`. */
interface Only extends OnlyFlood {
  readonly only?: 'connections' | 'strangers';
}

type Figures = Readonly<Record<string, number>>;
type Table = Record<string, { readonly figure: number | undefined; readonly target: string }>;

/**
 * `npm run bench -- flood`: how merchants are served while others flood the API with connections
 * and requests, and while strangers use what the chain lets them name.
 */
export default async function benchFlood(only: Only): Promise<void> {
  const isConnections = only.attack !== undefined && only.attack in ATTACKS;
  const isStrangers = only.attack !== undefined && !isConnections;
  const parts = {
    connections: only.only !== 'strangers' && !isStrangers,
    strangers: only.only !== 'connections' && !isConnections && !only.store && !only.from && !only.behind,
  };
  const floods = parts.connections ? await measureConnections(only) : [];
  const attacks = parts.strangers ? await measureStrangers(only.attack) : [];
  if (floods.length + attacks.length === 0) throw new Error('no flood matches the options');
  console.table(floods);
  console.table(attacks);
  const figures = { ...floodFigures(floods), ...attackFigures(attacks) };
  const table: Table = {
    'p99 of merchants beside a flood, ms': { figure: figures.victim_p99_ms, target: `< ${TARGETS.p99Ms}` },
    'p99 beside a flood / p99 beside a busy process': {
      figure: figures.victim_ratio,
      target: `< ${TARGETS.ratio}`,
    },
    'growth of memory in a flood, MB': { figure: figures.rss_growth_mb, target: `< ${TARGETS.growthMb}` },
    'p99 of honest callers in an attack / without it': {
      figure: figures.attack_ratio,
      target: `<= ${TARGETS.attackRatio}`,
    },
    'honest callers refused in an attack': {
      figure: figures.attack_refused,
      target: `${TARGETS.attackRefused}`,
    },
    'seconds until honest payments of the same claim are collected': {
      figure: figures.honest_collected_s,
      target: `<= ${TARGETS.collectedS}`,
    },
    'seconds until the stored position has passed an attack': {
      figure: figures.position_s,
      target: `<= ${TARGETS.positionS}`,
    },
  };
  console.table(table);
  console.log(JSON.stringify(figures));
  if (isMissed(figures, only.behind === 'proxy')) process.exitCode = 1;
}

function floodFigures(floods: readonly FloodResult[]): Figures {
  if (floods.length === 0) return {};
  return {
    victim_p99_ms: Math.max(...floods.map(({ p99Ms }) => p99Ms)),
    victim_p50_ms: Math.max(...floods.map(({ p50Ms }) => p50Ms)),
    victim_ratio: Math.max(...floods.map(({ ratio }) => ratio)),
    rss_growth_mb: Math.max(...floods.map(({ growthMb }) => growthMb)),
    refused_per_s: Math.max(...floods.map(({ refusedPerS }) => refusedPerS)),
    idle_p99_ms: Math.min(...floods.map(({ idleP99Ms }) => idleP99Ms)),
    scenarios: floods.length,
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
    ...Object.fromEntries(attacks.map(({ attack, ratio }) => [`attack_ratio_${attack}`, ratio])),
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

/** Without a proxy a flood may delay merchants, so only memory has a target. */
function isMissed(figures: Figures, isProxied: boolean): boolean {
  const isAtLeast = (name: string, limit: number) => (figures[name] ?? Number.NEGATIVE_INFINITY) >= limit;
  const isAbove = (name: string, limit: number) => (figures[name] ?? Number.NEGATIVE_INFINITY) > limit;
  return (
    (isProxied && (isAtLeast('victim_p99_ms', TARGETS.p99Ms) || isAtLeast('victim_ratio', TARGETS.ratio))) ||
    isAtLeast('rss_growth_mb', TARGETS.growthMb) ||
    isAbove('attack_ratio', TARGETS.attackRatio) ||
    isAbove('attack_refused', TARGETS.attackRefused) ||
    isAbove('honest_collected_s', TARGETS.collectedS) ||
    isAbove('position_s', TARGETS.positionS)
  );
}
