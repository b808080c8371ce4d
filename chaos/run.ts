import { setTimeout as wait } from 'node:timers/promises';
import type { Board } from './board.ts';
import { type CollectedEvidence, collectEvidence } from './collect-evidence.ts';
import type { Customers } from './customers.ts';
import { Failover, type FailoverFigures, type ListedFigures } from './failover.ts';
import { FAULTS } from './faults/catalog.ts';
import type { FaultName, FaultOrder } from './faults/fault.ts';
import type { Wrong } from './judge.ts';
import { openRun } from './opening.ts';
import type { ChaosRefunds } from './refunds.ts';
import { repeatUntilDone } from './repeat-until-done.ts';
import type { Replication } from './replication.ts';
import type { RunSize } from './run-size.ts';
import { DAY_SECONDS, type RoundSchedule, scheduleRun } from './schedule.ts';
import {
  type Patience,
  untilAllApplied,
  untilDelivered,
  untilRefundsFound,
  untilRetriesSettled,
  untilSettled,
} from './settle.ts';
import { judgeStates, StatesBackend } from './states.ts';
import { STRANGER_HABITS, type StrangerHabit } from './stranger-schedule.ts';
import type { Strangers } from './strangers.ts';
import type { Figure } from './tally.ts';
import { type ChaosMerchant, type ChaosWorld, startChaosWorld } from './world.ts';

/**
 * Longer than a day, so that a customer who comes back late also has a payment in the next round.
 */
const BETWEEN_ROUNDS_SECONDS = DAY_SECONDS + 3 * 3_600;
const FIRST_RETRY_SECONDS = 65;
const EARLY_SECONDS = 60;

export interface Outcome extends CollectedEvidence {
  /** How often each fault has happened. */
  readonly faults: ReadonlyMap<FaultName, number>;
  /** How many payers or requests of strangers there were, by habit. */
  readonly strangers: ReadonlyMap<StrangerHabit, number>;
  /** Scheduled faults that have not happened. */
  readonly neverHappened: readonly FaultName[];
  /** Seconds that recoveries took. */
  readonly measured: Readonly<Record<Figure, number | null>>;
  /** In a run with a failover. */
  readonly failover?: { readonly figures: FailoverFigures; readonly listed: ListedFigures };
  /** The output of all processes. */
  readonly printed: string;
}

export interface RunOptions {
  readonly seed: number;
  readonly size: RunSize;
  /** How the standby of PostgreSQL that takes over once receives commits; undefined without one. */
  readonly failover: Replication | undefined;
  /** How long work may remain after the faults without any progress. */
  readonly settleMs: number;
  readonly board: Board;
  /** Rounds that would end after this time (as `performance.now()`) are skipped. */
  readonly noRoundAfter: number;
  /** Rejects when the time limit is reached, or when the run is interrupted. */
  readonly stopped: Promise<never>;
}

/** Makes a complete run with its own processes and stores, and checks the result. */
export async function runChaos(
  closing: AsyncDisposableStack,
  { stopped, ...options }: RunOptions,
): Promise<Outcome> {
  const { size, board, failover } = options;
  const world = await Promise.race([startChaosWorld(closing, size, board, failover), stopped]);
  board.say(`${world.roles.length} processes of dues have started`);
  if (!world.redis) board.warn('LEFT OUT: faults of Redis, because this machine has no redis-server');
  try {
    return await Promise.race([playAndCheck(world, options), stopped]);
  } catch (cause) {
    throw new ChaosFailed(outputOf(world), { cause });
  }
}

async function playAndCheck(
  world: ChaosWorld,
  { seed, size, failover: replication, settleMs, board, noRoundAfter }: Omit<RunOptions, 'stopped'>,
): Promise<Outcome> {
  const patience = { maxUnchangedMs: settleMs, patienceMs: size.patienceMs };
  const isPossible = (fault: FaultName) => {
    const { needsRedis, restartsPostgres, isAlone } = FAULTS[fault];
    if (needsRedis && !world.redis) return false;
    // The recovery from the failover is measured, and no other.
    return !world.pair || !(restartsPostgres || isAlone);
  };
  const schedule = scheduleRun(seed, size, isPossible, replication);
  const { customers, refunds, strangers, merchants, begin } = await openRun(world, schedule);
  const failover =
    schedule.failover &&
    new Failover(world, { merchants, customers: customers.all, refunds }, schedule.failover);
  board.say(
    `${schedule.cast.length} customers are created; ${size.checkouts} of them will subscribe through a checkout`,
  );
  const states = new Map(
    merchants.map((merchant) => [
      merchant,
      new StatesBackend((cursor) => merchant.backend.changedStates(cursor)),
    ]),
  );
  const roundStarts: number[] = [];
  let longestMs = 0;
  for (const [round, orders] of schedule.rounds.entries()) {
    const startedAt = performance.now();
    if (round > 0 && startedAt + longestMs > noRoundAfter) {
      board.warn(`LEFT OUT: rounds ${round + 1} to ${size.rounds}, because this machine is too slow`);
      break;
    }
    const run = { world, customers, refunds, strangers, patience, board, failover };
    await playRound(run, round, orders, async () => {
      await (round === 0 ? begin() : world.travel(BETWEEN_ROUNDS_SECONDS));
      // The start is set slightly early, because the chain's time has whole seconds.
      roundStarts.push(Math.floor(world.network.nowMs() / 1000) - EARLY_SECONDS);
      if (round === 0) await customers.checkOut();
    });
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    for (const backend of states.values()) await repeatUntilDone(world.tally, () => backend.catchUp());
    board.say(`round ${round + 1} of ${schedule.rounds.length} is over`);
  }
  await untilAllApplied(world, patience);
  board.say('all updates are applied');
  await untilRefundsFound(world, patience);
  board.say(`${refunds.all.length} refunds are settled`);
  await untilDelivered(world, patience);
  board.say('all webhooks are delivered');
  const wrongStates = await judgeAllStates(world, states, replication !== 'asynchronous');
  const lost = await failover?.findLost();
  for (const { kind, id } of lost?.unlisted ?? []) board.warn(`LOST: ${kind} ${id}`);
  const evidence = await collectEvidence(
    world,
    merchants,
    { customers: customers.all, refunds: refunds.all },
    roundStarts,
    failover &&
      lost && {
        round: failover.order.round,
        lostEvents: new Set(lost.listed.map(({ id }) => id)),
        cancellationOf: (customer) => failover.cancellationOf(customer, lost),
      },
  );
  const faults = await countFaults(world);
  const scheduled = new Set(
    schedule.rounds.flatMap((windows) =>
      Object.values(windows)
        .flat()
        .map(({ fault }) => fault),
    ),
  );
  return {
    ...evidence,
    wrong: [...evidence.wrong, ...wrongStates],
    faults,
    strangers: new Map(STRANGER_HABITS.map((habit) => [habit, world.tally.of(habit)])),
    measured: world.tally.measured,
    neverHappened: [...scheduled].filter((fault) => (faults.get(fault) ?? 0) === 0),
    ...(failover &&
      lost && {
        failover: {
          figures: await failover.judge(evidence.wrong, lost),
          listed: await failover.countListed(lost),
        },
      }),
    printed: outputOf(world),
  };
}

/** Compares the states of all customers with those that the merchants' backends keep, and with the webhooks. */
async function judgeAllStates(
  { merchantServer, tally }: ChaosWorld,
  backends: ReadonlyMap<ChaosMerchant, StatesBackend>,
  isComplete: boolean,
): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  for (const [merchant, backend] of backends) {
    const everything = new StatesBackend((cursor) => merchant.backend.changedStates(cursor));
    await repeatUntilDone(tally, async () => {
      await backend.catchUp();
      await everything.catchUp();
    });
    wrong.push(
      ...judgeStates([...everything.kept.values()], backend.kept, merchantServer.accepted, isComplete),
    );
  }
  return wrong;
}

/** The run did not finish. The error has the output of all processes. */
export class ChaosFailed extends Error {
  override name = 'ChaosFailed';
  readonly printed: string;
  constructor(printed: string, options: ErrorOptions) {
    super((options.cause as Error).message, options);
    this.printed = printed;
  }
}

interface RunContext {
  readonly world: ChaosWorld;
  readonly customers: Customers;
  readonly refunds: ChaosRefunds;
  readonly strangers: Strangers;
  readonly patience: Patience;
  readonly board: Board;
  readonly failover: Failover | undefined;
}

/** Plays a round. `parts.ts` describes its phases. */
async function playRound(
  run: RunContext,
  round: number,
  orders: RoundSchedule,
  fallDue: () => Promise<void>,
): Promise<void> {
  const { world, customers, refunds, strangers, patience, failover } = run;
  await customers.before(round);
  await strangers.before(round);
  await runDuringFaults(run, orders.due, async () => {
    await fallDue();
    const failing = failover?.order.round === round ? failover : undefined;
    const failed = failing?.happen();
    // Of what the merchants are told while an asynchronous standby receives nothing, only `failover.ts` knows
    // what may be lost.
    const isKept = failing?.order.replication !== 'asynchronous';
    await Promise.all([
      customers.meanwhile(round),
      isKept ? customers.meanwhileInRows(round) : failed?.then(() => customers.meanwhileInRows(round)),
      refunds.sendRefundsOf(round, 'due'),
      strangers.meanwhile(),
      failed,
    ]);
  });
  // In the first round all customers only pay.
  if (round === 0) return;
  await Promise.all([customers.rescue(round), strangers.rescue()]);
  await runDuringFaults(run, orders.retries, () => world.travel(FIRST_RETRY_SECONDS));
  await customers.rescueLate(round);
  await untilRetriesSettled(world, patience);
  await runDuringFaults(run, orders.after, () =>
    Promise.all([customers.after(round), refunds.sendRefundsOf(round, 'after')]),
  );
}

/** Runs an action during faults. Resolves when the faults have ended and no work remains. */
async function runDuringFaults(
  { world, patience, board }: RunContext,
  orders: readonly FaultOrder[],
  act: () => Promise<unknown>,
): Promise<void> {
  board.say(orders.map(({ fault }) => fault).join(', '));
  const startedAt = performance.now();
  const cause = async (order: FaultOrder) => {
    await wait(order.afterMs);
    await FAULTS[order.fault].run(world, order);
  };
  const isAlone = ({ fault }: FaultOrder) => FAULTS[fault].isAlone === true;
  await Promise.all([...orders.filter((order) => !isAlone(order)).map(cause), act()]);
  for (const order of orders.filter(isAlone)) await cause(order);
  const faultsMs = performance.now() - startedAt;
  // Counted faults stay set until they have happened, or until no work remains that they can
  // affect.
  await untilSettled(world, patience);
  await world.endFaults();
  if (orders.length > 0)
    board.say(
      `  for ${seconds(faultsMs)}, settled ${seconds(performance.now() - startedAt - faultsMs)} later`,
    );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The number of times that each fault has happened, counted by the network or by this program. */
async function countFaults({ network, tally }: ChaosWorld): Promise<Map<FaultName, number>> {
  const counts = await network.readFaultCounts();
  const byNetwork: Partial<Record<FaultName, number | undefined>> = {
    'stream cut': counts.cut,
    'stream ended': counts.end,
    'stream skipped slots': counts.skip,
    'stream duplicated': counts.duplicate,
    'stream reordered': counts.reorder,
    'RPC answered 429': counts['rate-limit'],
    'RPC answered 500': counts['server-error'],
    'RPC answered 429 inside 200': counts['rate-limit-inside'],
    'RPC hung': counts.timeout,
    'RPC disconnected': counts.disconnect,
    'RPC behind': counts.lag,
    'transactions dropped': counts.drop,
    'transactions delayed': counts.delay,
  };
  const names = Object.keys(FAULTS) as FaultName[];
  return new Map(names.map((name) => [name, name in byNetwork ? (byNetwork[name] ?? 0) : tally.of(name)]));
}

function outputOf({ roles }: ChaosWorld): string {
  return roles.map(({ process }) => `--- ${process.name}\n${process.printed}`).join('\n');
}
