import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { styleText } from 'node:util';
import { untilStopped } from '../bin/until-stopped.ts';
import { Board } from './board.ts';
import type { Replication } from './replication.ts';
import { ChaosFailed, type Outcome, runChaos } from './run.ts';
import { FULL, SHORT } from './run-size.ts';
import type { Figure } from './tally.ts';

const MAX_PRINTED = 20;
/** Limits of the recoveries, in seconds. */
const MAX_SECONDS: Readonly<Record<Figure, number>> = { recovery_s: 60, leader_s: 15 };
const MAX_SECONDS_OF_FAILOVER: typeof MAX_SECONDS = { recovery_s: 45, leader_s: 15 };
/** The part of a run's time limit that is reserved for collecting the evidence. */
const EVIDENCE_TIME_SHARE = 0.12;
/** The part of a run's time limit that is reserved for stopping everything. */
const CLEAN_UP_MS = 3_000;

export interface ChaosOptions {
  /** A small run of two rounds that takes at most four minutes. */
  readonly short: boolean;
  /** How the standby of PostgreSQL that takes over once receives commits; undefined without one. */
  readonly failover: Replication | undefined;
  readonly seed: number;
}

/** Makes a run, prints a report, and returns the exit code: 0 only if all checks pass. */
export async function runAndReport({ short, failover, seed }: ChaosOptions): Promise<number> {
  const board = new Board();
  const { size, settleMs, limitMs } = short
    ? { size: SHORT, settleMs: 30_000, limitMs: 240_000 }
    : { size: FULL, settleMs: 120_000, limitMs: 600_000 };
  const repeatCommand = `npm run chaos -- ${short ? '--short ' : ''}${failover ? `--failover=${failover} ` : ''}--seed ${seed}`;
  console.log(styleText('bold', `Seed ${seed}`), styleText('dim', `— repeat with: ${repeatCommand}`));
  const closing = new AsyncDisposableStack();
  const noRoundAfter = performance.now() + limitMs * (1 - EVIDENCE_TIME_SHARE);
  const interrupted = untilStopped().then(() => 'the run was interrupted');
  const late = wait(limitMs - CLEAN_UP_MS, `the run took longer than ${limitMs / 1000} s`, { ref: false });
  const stopped = Promise.race([interrupted, late]).then((reason) => {
    throw new Error(reason);
  });
  try {
    const outcome = await runChaos(closing, { seed, size, failover, settleMs, board, stopped, noRoundAfter });
    return await report(board, { seed, short, failover }, outcome);
  } catch (error) {
    const { message, stack } =
      (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error);
    console.error(styleText('red', `Seed ${seed} did not finish: ${message}`), `\n${stack}`);
    if (error instanceof ChaosFailed) await writeLog(error.printed);
    console.log(JSON.stringify({ seed, holds: false, error: (error as Error).message }));
    return 1;
  } finally {
    await Promise.race([closing.disposeAsync(), wait(CLEAN_UP_MS)]);
  }
}

async function report(
  board: Board,
  { seed, short, failover }: ChaosOptions,
  outcome: Outcome,
): Promise<number> {
  const {
    wrong,
    faults,
    strangers,
    neverHappened,
    measured,
    subscriptions,
    charges,
    webhooks,
    receipts,
    refunds,
    refunded,
  } = outcome;
  board.table('Faults', [...faults]);
  board.table('Payers and requests of strangers', [...strangers]);
  board.table('Results', [
    ['subscriptions', subscriptions],
    ['charges on chain', charges],
    ['webhooks', webhooks],
    ['charged on chain, base units', outcome.chargedOnChain],
    ['in the books', outcome.booked],
    ['reported to the merchants', outcome.reported],
    ['receipts', outcome.receipts],
    ['refunds', outcome.refunds],
    ['refunded on chain, base units', refunded.onChain],
    ['in the books', refunded.booked],
    ['reported to the merchants', refunded.reported],
    ['sent twice, base units', refunded.outside],
    ['failed checks', wrong.length],
  ]);
  // In a short run some faults may have no effect.
  const hasAllFaults = short || neverHappened.length === 0;
  if (neverHappened.length > 0) {
    console.error(
      styleText(
        hasAllFaults ? 'yellow' : 'red',
        `\n  scheduled faults that never happened: ${neverHappened.join(', ')}`,
      ),
    );
  }
  for (const { what, subscription, part, detail } of wrong.slice(0, MAX_PRINTED)) {
    console.error(`  ${styleText('red', `✘ ${what}`)} ${subscription ?? ''} (${part ?? 'all'}): ${detail}`);
  }
  if (wrong.length > MAX_PRINTED) console.error(`  and ${wrong.length - MAX_PRINTED} more`);
  const limits = failover ? MAX_SECONDS_OF_FAILOVER : MAX_SECONDS;
  const isFast = Object.entries(limits).every(([figure, max]) => (measured[figure as Figure] ?? 0) <= max);
  if (!isFast) console.error(styleText('red', `  too slow: ${JSON.stringify({ measured, limits })}`));
  const { figures, listed } = outcome.failover ?? {};
  const isKept = Object.values(figures ?? {}).every((count) => count === 0);
  if (!isKept) console.error(styleText('red', `  after the failover: ${JSON.stringify(figures)}`));
  if (wrong.length > 0 || !isKept) await writeLog(outcome.printed);
  const holds = wrong.length === 0 && hasAllFaults && isFast && isKept;
  console.log(
    `\n  ${holds ? styleText('green', 'All checks pass: nothing was lost, and nothing happened twice.') : styleText('red', 'Checks have failed.')}\n`,
  );
  console.log(
    JSON.stringify({
      seed,
      holds,
      seconds: Math.round(board.seconds),
      subscriptions,
      charges,
      webhooks,
      wrong: wrong.length,
      charged: String(outcome.chargedOnChain),
      booked: String(outcome.booked),
      reported: String(outcome.reported),
      receipts,
      refunds,
      refunded: String(refunded.onChain),
      refundsBooked: String(refunded.booked),
      refundsReported: String(refunded.reported),
      sentTwice: String(refunded.outside),
      ...measured,
      ...(failover && { failover }),
      ...figures,
      ...listed,
      faults: Object.fromEntries(faults),
      strangers: Object.fromEntries(strangers),
    }),
  );
  return holds ? 0 : 1;
}

/** Writes the output of all processes to a file, in which the cause can be found. */
async function writeLog(printed: string): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'dues-chaos-log-')), 'printed.log');
  await writeFile(file, printed);
  console.error(`  output of the processes: ${file}`);
}
