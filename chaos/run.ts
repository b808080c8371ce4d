import { setTimeout as wait } from 'node:timers/promises';
import type { Board } from './board.ts';
import { type CollectedEvidence, collectEvidence } from './collect-evidence.ts';
import type { Customers } from './customers.ts';
import { FAULTS } from './faults/catalog.ts';
import type { FaultName, FaultOrder } from './faults/fault.ts';
import { open } from './opening.ts';
import { DAY, planRun, type RoundPlan } from './plan.ts';
import type { ChaosRefunds } from './refunds.ts';
import type { RunSize } from './run-size.ts';
import {
  type Patience,
  passDeliveries,
  passRefunds,
  passRetries,
  untilAllApplied,
  untilSettled,
} from './settle.ts';
import { ChaosWorld } from './world.ts';

/**
 * Longer than a day, so that a customer who comes back late also has a payment in the next round.
 */
const BETWEEN_ROUNDS_SECONDS = DAY + 3 * 3_600;
const FIRST_RETRY_SECONDS = 65;
const EARLY_SECONDS = 60;

export interface Outcome extends CollectedEvidence {
  /** How often each fault had an effect. */
  readonly faults: ReadonlyMap<FaultName, number>;
  /** Planned faults without an effect. */
  readonly neverHappened: readonly FaultName[];
  /** The output of all processes. */
  readonly printed: string;
}

export interface RunOptions {
  readonly seed: number;
  readonly size: RunSize;
  /** How long work may be left after faults without any progress. */
  readonly settleMs: number;
  readonly board: Board;
  /** Rounds that would end later, by `performance.now()`, are skipped. */
  readonly noRoundAfter: number;
  /** Rejects at the timeout, or when the run is interrupted. */
  readonly stopped: Promise<never>;
}

/** Makes a complete run in a separate world, and checks the result. */
export async function runChaos(
  closing: AsyncDisposableStack,
  { stopped, ...options }: RunOptions,
): Promise<Outcome> {
  const { size, board } = options;
  const world = await Promise.race([ChaosWorld.start(closing, size, board), stopped]);
  board.say(`${world.roles.length} processes of dues run`);
  if (!world.redis) board.warn('LEFT OUT: no redis-server on this machine, so nothing happens to Redis');
  try {
    return await Promise.race([playAndJudge(world, options), stopped]);
  } catch (cause) {
    throw new ChaosFailed(printedBy(world), { cause });
  }
}

async function playAndJudge(
  world: ChaosWorld,
  { seed, size, settleMs, board, noRoundAfter }: Omit<RunOptions, 'stopped'>,
): Promise<Outcome> {
  const patience = { withinMs: settleMs, patienceMs: size.patienceMs };
  const plan = planRun(seed, size, (fault) => !FAULTS[fault].needsRedis || world.redis !== undefined);
  const { customers, refunds, merchants, begin } = await open(world, plan);
  board.say(`${plan.cast.length} customers are there, ${size.checkouts} of them before a checkout`);
  const roundStarts: number[] = [];
  let longestMs = 0;
  for (const [round, orders] of plan.rounds.entries()) {
    const since = performance.now();
    if (round > 0 && since + longestMs > noRoundAfter) {
      board.warn(`LEFT OUT: rounds ${round + 1} to ${size.rounds}, for which this machine has no time`);
      break;
    }
    await playRound({ world, customers, refunds, patience, board }, round, orders, async () => {
      await (round === 0 ? begin() : world.travel(BETWEEN_ROUNDS_SECONDS));
      // Slightly early, because the chain's time has whole seconds.
      roundStarts.push(Math.floor(world.network.nowMs() / 1000) - EARLY_SECONDS);
      if (round === 0) await customers.checkOut();
    });
    longestMs = Math.max(longestMs, performance.now() - since);
    board.say(`round ${round + 1} of ${plan.rounds.length} is over`);
  }
  await untilAllApplied(world, patience);
  board.say('nothing is left set aside');
  await passRefunds(world, patience);
  board.say(`${refunds.all.length} refunds are settled`);
  await passDeliveries(world, patience);
  board.say('all is quiet');
  const truth = await collectEvidence(
    world,
    merchants,
    { customers: customers.all, refunds: refunds.all },
    roundStarts,
  );
  const faults = await countFaults(world);
  const planned = new Set(
    plan.rounds.flatMap((each) =>
      Object.values(each)
        .flat()
        .map(({ fault }) => fault),
    ),
  );
  return {
    ...truth,
    faults,
    neverHappened: [...planned].filter((fault) => (faults.get(fault) ?? 0) === 0),
    printed: printedBy(world),
  };
}

/** The run did not finish. It has the output of all processes. */
export class ChaosFailed extends Error {
  override name = 'ChaosFailed';
  readonly printed: string;
  constructor(printed: string, options: ErrorOptions) {
    super((options.cause as Error).message, options);
    this.printed = printed;
  }
}

interface Stage {
  readonly world: ChaosWorld;
  readonly customers: Customers;
  readonly refunds: ChaosRefunds;
  readonly patience: Patience;
  readonly board: Board;
}

/** Plays a round. `parts.ts` describes its phases. */
async function playRound(
  stage: Stage,
  round: number,
  orders: RoundPlan,
  fallDue: () => Promise<void>,
): Promise<void> {
  const { world, customers, refunds, patience } = stage;
  await customers.before(round);
  await storm(stage, orders.due, async () => {
    await fallDue();
    await Promise.all([customers.meanwhile(round), refunds.sendRefundsOf(round, 'due')]);
  });
  // All customers have just paid for the first time.
  if (round === 0) return;
  await customers.rescue(round);
  await storm(stage, orders.retries, () => world.travel(FIRST_RETRY_SECONDS));
  await customers.rescueLate(round);
  await passRetries(world, patience);
  await storm(stage, orders.after, () =>
    Promise.all([customers.after(round), refunds.sendRefundsOf(round, 'after')]),
  );
}

/** Runs an action during faults. Resolves when the faults have ended and no work is left. */
async function storm(
  { world, patience, board }: Stage,
  orders: readonly FaultOrder[],
  act: () => Promise<unknown>,
): Promise<void> {
  board.say(orders.map(({ fault }) => fault).join(', '));
  const since = performance.now();
  const raging = orders.map(async (order) => {
    await wait(order.afterMs);
    await FAULTS[order.fault].run(world, order);
  });
  await Promise.all([...raging, act()]);
  const raged = performance.now() - since;
  // Counted faults continue until they have occurred, or until nothing is left for them to affect.
  await untilSettled(world, patience);
  await world.calm();
  if (orders.length > 0)
    board.say(`  for ${seconds(raged)}, settled ${seconds(performance.now() - since - raged)} later`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Counts the faults: ours when they are made, those of the network by the network. */
async function countFaults({ network, tally }: ChaosWorld): Promise<Map<FaultName, number>> {
  const met = await network.faultsMet();
  const byNetwork: Partial<Record<FaultName, number | undefined>> = {
    'stream cut': met.cut,
    'stream ended': met.end,
    'stream skipped slots': met.skip,
    'stream doubled': met.duplicate,
    'stream reordered': met.reorder,
    'RPC answered 429': met['rate-limit'],
    'RPC answered 500': met['server-error'],
    'RPC limited inside of 200': met['rate-limit-inside'],
    'RPC hung': met.timeout,
    'RPC torn off': met.disconnect,
    'RPC lagged': met.lag,
    'transactions dropped': met.drop,
    'transactions late': met.delay,
  };
  const names = Object.keys(FAULTS) as FaultName[];
  return new Map(names.map((name) => [name, name in byNetwork ? (byNetwork[name] ?? 0) : tally.of(name)]));
}

function printedBy({ roles }: ChaosWorld): string {
  return roles.map(({ process }) => `--- ${process.name}\n${process.printed}`).join('\n');
}
