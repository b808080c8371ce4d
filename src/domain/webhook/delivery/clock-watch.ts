import type { AppContext } from '../../../app.ts';
import { type ClockStanding, clockStanding } from './clock-standing.ts';

/** So long an answer of the clusters holds, as long as our clock runs as the machine's timer does. */
const HOLDS_MS = 5_000;
/** By how much the two may part meanwhile: nothing is put off for long by less. */
const JUMP_MS = 60_000;
/** A cluster that does not answer holds up no webhooks. */
const PATIENCE_MS = 2_000;

interface Look {
  readonly standing: ClockStanding;
  readonly timerMs: number;
  readonly clockMs: number;
}

/**
 * Whether the clock of this process is known to be wrong, for whoever asks often: the clusters are asked every few seconds
 * at most, behind the back of whoever goes by the last answer. Only where our clock has jumped since, they are waited for.
 */
export class ClockWatch {
  readonly #ctx: Pick<AppContext, 'chain' | 'clock' | 'log'>;
  #last: Look | undefined;
  #looking: Promise<void> | undefined;

  constructor(ctx: Pick<AppContext, 'chain' | 'clock' | 'log'>) {
    this.#ctx = ctx;
  }

  /** False also where no cluster can be asked; what was known before holds then, unless our clock has jumped. Never rejects. */
  async isWrong(): Promise<boolean> {
    const last = this.#holding();
    if (!last) await this.#lookInTime();
    else if (performance.now() - last.timerMs > HOLDS_MS) void this.#look();
    return this.#last?.standing === 'wrong';
  }

  /** The last look, if our clock has run as it should since. */
  #holding(): Look | undefined {
    const last = this.#last;
    if (!last) return undefined;
    const { timerMs, clockMs } = readings(this.#ctx);
    return Math.abs(clockMs - last.clockMs - (timerMs - last.timerMs)) <= JUMP_MS ? last : undefined;
  }

  async #lookInTime(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#last = { standing: 'unknown', ...readings(this.#ctx) };
      late.resolve();
    }, PATIENCE_MS);
    // One that is under way may have been answered before the jump.
    await Promise.race([(this.#looking ?? Promise.resolve()).then(() => this.#look()), late.promise]);
    clearTimeout(timer);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #ask(): Promise<void> {
    // Read before they are asked: a jump meanwhile has to be looked at again.
    const begun = readings(this.#ctx);
    const found = await clockStanding(this.#ctx);
    const standing = found === 'unknown' ? (this.#holding()?.standing ?? found) : found;
    this.#last = { standing, ...begun };
  }
}

function readings({ clock }: Pick<AppContext, 'clock'>): Omit<Look, 'standing'> {
  return { timerMs: performance.now(), clockMs: clock.now().getTime() };
}
