import { setTimeout as wait } from 'node:timers/promises';
import type { Tally } from './tally.ts';

const DONE_WITHIN_MS = 60_000;
const RETRY_DELAY_MS = 250;

export interface RepeatOptions {
  /** Returns whether the action succeeded although it threw. */
  readonly isDone?: () => Promise<boolean>;
  /** Returns whether another attempt cannot succeed. */
  readonly isHopeless?: (error: unknown) => boolean;
}

/**
 * Repeats an action of a customer or a merchant until it succeeds, for at most one minute. After
 * each error `isDone` checks whether the action succeeded nevertheless; the result is then
 * undefined.
 */
export async function repeatUntilDone<T>(
  tally: Tally,
  act: () => Promise<T>,
  { isDone = async () => false, isHopeless = () => false }: RepeatOptions = {},
): Promise<T | undefined> {
  const deadline = performance.now() + DONE_WITHIN_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (await isDone().catch(() => false)) return undefined;
      if (isHopeless(error) || performance.now() > deadline) throw error;
      tally.add('customers retried');
      await wait(RETRY_DELAY_MS);
    }
  }
}
