// `npm run chaos [-- --short] [-- --seed N]`: everything goes wrong, and nothing may be lost. Exit code 0 only if all holds.
import { randomInt } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, styleText } from 'node:util';
import { untilStopped } from '../bin/until-stopped.ts';
import { Board } from './board.ts';
import { FULL, SHORT } from './plan.ts';
import { ChaosFailed, type Outcome, runChaos } from './run.ts';

const MOST_TOLD = 20;
/** Of the time that a run may take. */
const PART_FOR_THE_TRUTH = 0.12;
/** Of the time that a run may take. */
const CLEANING_UP_MS = 3_000;
const SEEDS = 2 ** 31 - 1;

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string' } },
});
const seed = values.seed === undefined ? randomInt(SEEDS) : Number(values.seed);
if (!Number.isInteger(seed) || seed < 0 || seed > SEEDS) {
  console.error(`--seed must be a whole number, 0 to ${SEEDS}`);
  process.exit(1);
}
process.exit(await main());

async function main(): Promise<number> {
  const board = new Board();
  const { size, settleMs, limitMs } = values.short
    ? { size: SHORT, settleMs: 30_000, limitMs: 50_000 }
    : { size: FULL, settleMs: 120_000, limitMs: 600_000 };
  const again = `npm run chaos -- ${values.short ? '--short ' : ''}--seed ${seed}`;
  console.log(styleText('bold', `Seed ${seed}`), styleText('dim', `— again: ${again}`));
  const closing = new AsyncDisposableStack();
  const noRoundAfter = performance.now() + limitMs * (1 - PART_FOR_THE_TRUTH);
  const interrupted = untilStopped().then(() => 'it was interrupted');
  const late = wait(limitMs - CLEANING_UP_MS, `it was not over after ${limitMs / 1000} s`, { ref: false });
  const stopped = Promise.race([interrupted, late]).then((why) => {
    throw new Error(why);
  });
  try {
    const outcome = await runChaos(closing, { seed, size, settleMs, board, stopped, noRoundAfter });
    return await report(board, seed, outcome);
  } catch (error) {
    const { message, stack } =
      (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error);
    console.error(styleText('red', `Seed ${seed} did not come to its end: ${message}`), `\n${stack}`);
    if (error instanceof ChaosFailed) await keep(error.printed);
    console.log(JSON.stringify({ seed, holds: false, error: (error as Error).message }));
    return 1;
  } finally {
    await Promise.race([closing.disposeAsync(), wait(CLEANING_UP_MS)]);
  }
}

async function report(board: Board, seed: number, outcome: Outcome): Promise<number> {
  const { wrong, faults, neverHappened, subscriptions, charges, webhooks } = outcome;
  board.table('What went wrong', [...faults]);
  board.table('What came of it', [
    ['subscriptions', subscriptions],
    ['charges on chain', charges],
    ['webhooks', webhooks],
    ['charged on chain, base units', outcome.chargedOnChain],
    ['in the books', outcome.booked],
    ['told to the merchants', outcome.told],
    ['things that do not hold', wrong.length],
  ]);
  // The short one has no time to wait until each finds something to break.
  const isWhole = values.short || neverHappened.length === 0;
  if (neverHappened.length > 0) {
    console.error(
      styleText(isWhole ? 'yellow' : 'red', `\n  planned, and never happened: ${neverHappened.join(', ')}`),
    );
  }
  for (const { what, subscription, part, detail } of wrong.slice(0, MOST_TOLD)) {
    console.error(`  ${styleText('red', `✘ ${what}`)} ${subscription ?? ''} (${part ?? 'all'}): ${detail}`);
  }
  if (wrong.length > MOST_TOLD) console.error(`  and ${wrong.length - MOST_TOLD} more`);
  if (wrong.length > 0) await keep(outcome.printed);
  const holds = wrong.length === 0 && isWhole;
  console.log(
    `\n  ${holds ? styleText('green', 'All holds: nothing lost, nothing twice.') : styleText('red', 'It does not hold.')}\n`,
  );
  console.log(
    JSON.stringify({
      seed,
      holds,
      seconds: Math.round(board.seconds),
      ...{ subscriptions, charges, webhooks, wrong: wrong.length },
      charged: String(outcome.chargedOnChain),
      booked: String(outcome.booked),
      told: String(outcome.told),
      faults: Object.fromEntries(faults),
    }),
  );
  return holds ? 0 : 1;
}

/** What all processes printed, for whoever wants to know why. */
async function keep(printed: string): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'dues-chaos-log-')), 'printed.log');
  await writeFile(file, printed);
  console.error(`  what the processes printed: ${file}`);
}
