import type { AppContext } from '../../../app.ts';
import { type ClockCheck, checkClock } from './check-clock.ts';

/** How long a result is used, unless our clock and the machine's timer differ meanwhile. */
const HOLDS_MS = 5_000;
/** The difference between the two that counts as a jump. A smaller one delays nothing for long. */
const JUMP_MS = 60_000;
/** Maximum wait for the clusters, so that a cluster that does not respond delays no webhooks. */
const MAX_WAIT_MS = 2_000;

interface Look {
  readonly result: ClockCheck;
  readonly timerMs: number;
  readonly clockMs: number;
}

/**
 * Checks whether the clock of this process is wrong, for frequent calls: it asks the clusters every
 * few seconds at most and in the background. Callers wait only after a jump of our clock.
 */
export class ClockWatch {
  readonly #ctx: Pick<AppContext, 'chain' | 'clock' | 'log'>;
  #last: Look | undefined;
  #checking: Promise<void> | undefined;

  constructor(ctx: Pick<AppContext, 'chain' | 'clock' | 'log'>) {
    this.#ctx = ctx;
  }

  /**
   * Whether the clock is known to be wrong. If no cluster responds, the last result is used, unless
   * our clock has jumped since: then it is false. Never rejects.
   */
  async isWrong(): Promise<boolean> {
    const last = this.#holding();
    if (!last) await this.#checkInTime();
    else if (performance.now() - last.timerMs > HOLDS_MS) void this.#check();
    return this.#last?.result === 'wrong';
  }

  /** The last result, if our clock has not jumped since. */
  #holding(): Look | undefined {
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
    const result = found === 'unknown' ? (this.#holding()?.result ?? found) : found;
    this.#last = { result, ...begun };
  }
}

function readings({ clock }: Pick<AppContext, 'clock'>): Omit<Look, 'result'> {
  return { timerMs: performance.now(), clockMs: clock.now().getTime() };
}
