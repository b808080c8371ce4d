import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import type { Mirror } from '../apply/mirror.ts';
import { ACCOUNTS_PER_CALL } from '../apply/read-fresh.ts';
import { pause } from '../pause.ts';
import type { Schedule } from '../schedule.ts';
import { loadComparedAddress, saveComparedAddress } from '../stream-position.ts';
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
      const restMs = await compareAll(mirror, owed, signal);
      if (restMs !== undefined) {
        // The next connection continues the round, but not sooner than this one would have.
        rounds.postponeFully(restMs);
        return;
      }
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
 * One round, from the stored position. Returns undefined if it came to its end. If the signal was
 * aborted, returns the rest of the pause before the next page, in milliseconds.
 */
async function compareAll(mirror: Mirror, owed: OwedRound, signal: AbortSignal): Promise<number | undefined> {
  const { ctx, environment, chain } = mirror;
  const from = await loadComparedAddress(ctx, environment);
  for await (const page of expectedAccounts(ctx, environment, from)) {
    const pauseMs = await comparePage(mirror, page, chain.config);
    const nextAt = performance.now() + pauseMs;
    const paced = pause(pauseMs, signal);
    await saveComparedAddress(ctx, environment, page.last);
    await paced;
    if (signal.aborted) return Math.max(0, nextAt - performance.now());
  }
  await saveComparedAddress(ctx, environment, null);
  if (from === '') owed.end();
  return undefined;
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
