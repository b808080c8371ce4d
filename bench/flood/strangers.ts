import { setTimeout as wait } from 'node:timers/promises';
import { percentile, round } from '../lib/statistics.ts';
import { type Served, serveHonestCallers } from './honest-callers.ts';
import {
  QUIET_SECONDS,
  STRANGER_ATTACKS,
  type StrangerAttack,
  type StrangerAttackName,
} from './stranger-attacks.ts';
import { type StrangerWorld, startStrangerWorld } from './stranger-world.ts';

const WARM_UP_SECONDS = 5;
const BEFORE_SECONDS = 8;
const AFTER_SECONDS = 4;
/** Wait after an attack, for its effect to end. */
const PAUSE_MS = 2_000;

/** How an attack of strangers affected honest callers and merchants. */
export interface StrangerResult {
  readonly attack: StrangerAttackName;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Their p99 before and after the attack. */
  readonly quietP99Ms: number;
  readonly ratio: number;
  /** Requests of honest callers that were not answered with 200. */
  readonly refused: number;
  readonly pauseMs: number;
  readonly growthMb: number;
  /** Processor time of the API in the attack, less that in as many quiet seconds. */
  readonly cpuS: number;
  readonly honestCollectedS: number | undefined;
  readonly positionS: number | undefined;
}

/**
 * Measures honest callers while a stranger uses what the chain or the API lets anyone name.
 *
 * @param only the one attack to measure
 */
export async function measureStrangers(only?: string): Promise<StrangerResult[]> {
  await using closing = new AsyncDisposableStack();
  const world = await startStrangerWorld(closing);
  console.log('all roles run, and honest callers have begun');
  await serveHonestCallers(world.url, world.honest, WARM_UP_SECONDS);
  const measured: StrangerResult[] = [];
  for (const [name, attack] of Object.entries(STRANGER_ATTACKS)) {
    if (only !== undefined && only !== name) continue;
    measured.push(await measureAttack(world, name as StrangerAttackName, attack));
    console.log(attack.what, JSON.stringify(measured.at(-1)));
  }
  return measured;
}

async function measureAttack(
  world: StrangerWorld,
  name: StrangerAttackName,
  attack: StrangerAttack,
): Promise<StrangerResult> {
  const serve = (seconds: number) => serveHonestCallers(world.url, world.honest, seconds);
  const prepared = await attack.prepare(world);
  await world.report();
  const { at = 0 } = prepared;
  await waitUntil(at - QUIET_SECONDS);
  const before = await serve(BEFORE_SECONDS);
  const quiet = await world.report();
  await waitUntil(at);
  const [effects, attacked] = await Promise.all([prepared.run(), serve(attack.seconds)]);
  const report = await world.report();
  await wait(PAUSE_MS);
  const after = await serve(AFTER_SECONDS);
  const quietP99 = p99Of(before, after);
  const p99 = p99Of(attacked);
  return {
    attack: name,
    p50Ms: round(percentile(attacked.latencies, 0.5), 1),
    p99Ms: round(p99, 1),
    quietP99Ms: round(quietP99, 1),
    ratio: round(p99 / quietP99, 2),
    refused: attacked.refused,
    pauseMs: round(report.longestPauseMs, 1),
    growthMb: round((report.mostBytes - quiet.mostBytes) / 1_000_000),
    cpuS: round(report.cpuSeconds - (quiet.cpuSeconds * attack.seconds) / BEFORE_SECONDS, 1),
    honestCollectedS: effects.honestCollectedS,
    positionS: effects.positionS,
  };
}

async function waitUntil(unixSeconds: number): Promise<void> {
  await wait(Math.max(0, unixSeconds * 1_000 - Date.now()));
}

function p99Of(...served: readonly Served[]): number {
  return percentile(
    served.flatMap(({ latencies }) => latencies),
    0.99,
  );
}
