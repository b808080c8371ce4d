import type { AppContext } from '../../../../app.ts';
import { type ClockCheck, checkClock } from './check-clock.ts';

/** A result is used for this time, unless our clock and the machine's timer differ meanwhile. */
const RESULT_LIFETIME_MS = 5_000;
/** A larger difference between the two counts as a jump. A smaller one causes no long delay. */
const JUMP_MS = 60_000;
/** Maximum wait for the clusters, so that a cluster that does not respond delays no webhooks. */
const MAX_WAIT_MS = 2_000;

interface Reading {
  readonly result: ClockCheck;
  readonly timerMs: number;
  readonly clockMs: number;
}

/**
 * Checks whether the clock of this process is wrong, for frequent calls: it asks the clusters at
 * most every few seconds, in the background. Callers wait only after a jump of our clock.
 */
export class ClockWatch {
  readonly #ctx: Pick<AppContext, 'chain' | 'clock' | 'db' | 'log'>;
  #last: Reading | undefined;
  #checking: Promise<void> | undefined;

  constructor(ctx: Pick<AppContext, 'chain' | 'clock' | 'db' | 'log'>) {
    this.#ctx = ctx;
  }

  /**
   * Whether the clock is known to be wrong. If no cluster responds, the last result is used; false
   * if our clock has jumped since then. Never rejects.
   */
  async isWrong(): Promise<boolean> {
    const last = this.#validReading();
    if (!last) await this.#checkInTime();
    else if (performance.now() - last.timerMs > RESULT_LIFETIME_MS) void this.#check();
    return this.#last?.result === 'wrong';
  }

  /** The last result, if our clock has not jumped since. */
  #validReading(): Reading | undefined {
    const last = this.#last;
    if (!last) return undefined;
    const { timerMs, clockMs } = readings(this.#ctx);
    return Math.abs(clockMs - last.clockMs - (timerMs - last.timerMs)) <= JUMP_MS ? last : undefined;
  }

  async #checkInTime(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#last = { result: 'unknown', ...readings(this.#ctx) };
      late.resolve();
    }, MAX_WAIT_MS);
    // A check that already runs may have read the time before the jump.
    await Promise.race([(this.#checking ?? Promise.resolve()).then(() => this.#check()), late.promise]);
    clearTimeout(timer);
  }

  #check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #ask(): Promise<void> {
    // Read first, so that a jump during the check is noticed.
    const begun = readings(this.#ctx);
    const found = await checkClock(this.#ctx);
    const result = found === 'unknown' ? (this.#validReading()?.result ?? found) : found;
    this.#last = { result, ...begun };
  }
}

function readings({ clock }: Pick<AppContext, 'clock'>): Omit<Reading, 'result'> {
  return { timerMs: performance.now(), clockMs: clock.now().getTime() };
}
