import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import type { Mirror } from '../apply/mirror.ts';
import { ACCOUNTS_PER_CALL } from '../apply/read-fresh.ts';
import { pause } from '../pause.ts';
import type { Schedule } from '../schedule.ts';
import { loadCompared, saveCompared } from '../stream-position.ts';
import { type ExpectedPage, expectedAccounts } from './expected-accounts.ts';
import { OwedRound } from './owed-round.ts';
import { applyPage, readPage } from './snapshot.ts';

/** Pause after a failed page. The round then continues at that page. */
const FAILED_PAUSE_MS = 30_000;

interface Pace {
  /** When the next round starts, or the running round continues. */
  readonly rounds: Schedule;
  /** While a round is owed, the next one follows without a pause, unless the last one failed. */
  readonly owed?: OwedRound;
}

/**
 * Compares every account that can concern our books with the chain, page by page and round after
 * round, with at most `comparedCallsPerMinute` calls per minute. The position of a round is stored,
 * and the next connection or leader continues it. Differences are applied. Nothing waits for the
 * comparison.
 */
export async function compareInTurn(
  mirror: Mirror,
  { rounds, owed = new OwedRound() }: Pace,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await pauseUntilOwed(rounds.remainingMs, owed, signal);
    if (signal.aborted) return;
    const startedAt = performance.now();
    owed.begin();
    try {
      // An interrupted round stays due.
      if (!(await compareAll(mirror, owed, signal))) return;
      rounds.ran(startedAt);
      if (owed.owedMs !== undefined) rounds.postpone(0);
    } catch (error) {
      onError(error);
      if (!signal.aborted) rounds.postpone(FAILED_PAUSE_MS);
    }
  }
}

async function pauseUntilOwed(ms: number, owed: OwedRound, signal: AbortSignal): Promise<void> {
  const isOwed = new AbortController();
  void owed.unseenChange.then(() => isOwed.abort());
  await pause(ms, AbortSignal.any([signal, isOwed.signal]));
}

/**
 * One round, from the stored position. Returns true if it came to its end, and false if the signal
 * was aborted.
 */
async function compareAll(mirror: Mirror, owed: OwedRound, signal: AbortSignal): Promise<boolean> {
  const { ctx, environment, chain } = mirror;
  const from = await loadCompared(ctx, environment);
  for await (const page of expectedAccounts(ctx, environment, from)) {
    const paced = pause(await comparePage(mirror, page, chain.config), signal);
    await saveCompared(ctx, environment, page.last);
    await paced;
    if (signal.aborted) return false;
  }
  await saveCompared(ctx, environment, null);
  if (from === '') owed.end();
  return true;
}

/** Returns the pause before the next page, in milliseconds. */
async function comparePage(
  mirror: Mirror,
  { accounts }: ExpectedPage,
  { comparedCallsPerMinute }: Pick<ClusterConfig, 'comparedCallsPerMinute'>,
): Promise<number> {
  const { position } = mirror;
  if (position === undefined || accounts.length === 0) return 0;
  const startedAt = performance.now();
  const page = await readPage(mirror, position, accounts);
  await applyPage(mirror, page, position);
  const calls = Math.ceil(page.seen.size / ACCOUNTS_PER_CALL);
  return Math.max(0, (calls * 60_000) / comparedCallsPerMinute - (performance.now() - startedAt));
}
