import { setTimeout as wait } from 'node:timers/promises';
import { DuesProcess } from '../test/cli/dues-process.ts';

const STARTS_WITHIN_MS = 90_000;
const TRY_AGAIN_MS = 300;

/** One `dues` role in a process of its own, started again by whoever looks after it when it was killed. */
export class RoleProcess {
  readonly name: string;
  readonly #role: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #process: DuesProcess | undefined;
  /** Somebody does something to it, and nobody else may. */
  #isBusy = false;
  /** How often it did not stop as it should when it was asked to. */
  badStops = 0;
  /** What processes printed that are over. */
  #printed: string[] = [];

  constructor(name: string, role: string, env: Readonly<Record<string, string | undefined>>) {
    this.name = name;
    this.#role = role;
    // PostgreSQL tells the connections of processes apart by it.
    this.#env = { ...env, PGAPPNAME: name };
  }

  /** Starts it for the first time. @throws Error with all that it printed, where it does not start */
  start(): Promise<void> {
    return this.#startWithin(0);
  }

  /** Starts it, again and again as a supervisor does: what it needs may be away just now. */
  async #startWithin(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const started = new DuesProcess([this.#role], this.#env);
      this.#process = started;
      try {
        await started.printed(/"msg":"started"/);
        return;
      } catch (error) {
        this.#keepPrinted(await started.ended('SIGKILL'));
        if (performance.now() > deadline) throw error;
        await wait(TRY_AGAIN_MS);
      }
    }
  }

  /** Answers false, having done nothing, where something else is being done to it. */
  killAndRestart(): Promise<boolean> {
    return this.#alone(async () => {
      if (this.#process) this.#keepPrinted(await this.#process.ended('SIGKILL'));
      await this.#startWithin(STARTS_WITHIN_MS);
    });
  }

  /** Asks it to stop, as a deploy does, and starts it again. Answers false where something else is being done to it. */
  stopAndRestart(): Promise<boolean> {
    return this.#alone(async () => {
      const ended = await this.#process?.ended('SIGTERM');
      if (ended && ended.code !== 0) this.badStops += 1;
      if (ended) this.#keepPrinted(ended);
      await this.#startWithin(STARTS_WITHIN_MS);
    });
  }

  /** Holds it still during the work. Answers false, having done nothing, where something else is being done to it. */
  frozen(work: () => Promise<void>): Promise<boolean> {
    return this.#alone(async () => {
      this.#process?.signal('SIGSTOP');
      try {
        await work();
      } finally {
        this.#process?.signal('SIGCONT');
      }
    });
  }

  /** Whether it has ended without being killed. */
  get hasFallen(): boolean {
    return !this.#isBusy && this.#process?.isOver === true;
  }

  /** Asks it to stop; the exit code, null where it had to be killed. */
  async stop(): Promise<number | null> {
    const ended = await this.#process?.ended('SIGTERM');
    if (ended) this.#keepPrinted(ended);
    return ended?.code ?? null;
  }

  async kill(): Promise<void> {
    await this.#process?.ended('SIGKILL');
  }

  /** All that it printed, in all its lives. */
  get printed(): string {
    const { stdout = '', stderr = '' } = this.#process ?? {};
    return [...this.#printed, stdout, stderr].join('');
  }

  #keepPrinted({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
    this.#printed.push(stdout, stderr);
    this.#process = undefined;
  }

  async #alone(work: () => Promise<void>): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      await work();
      return true;
    } finally {
      this.#isBusy = false;
    }
  }
}
