import { setTimeout as wait } from 'node:timers/promises';
import { DuesProcess } from '../tools/dues-process.ts';

const STARTS_WITHIN_MS = 90_000;
const RETRY_DELAY_MS = 300;

/** One `dues` role in a separate process, which is restarted after it was killed. */
export class RoleProcess {
  readonly name: string;
  readonly #role: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #process: DuesProcess | undefined;
  /** Whether a fault acts on it, so that no other may. */
  #isBusy = false;
  /** How often it did not stop correctly on request. */
  badStops = 0;
  /** The output of earlier processes. */
  #printed: string[] = [];

  constructor(name: string, role: string, env: Readonly<Record<string, string | undefined>>) {
    this.name = name;
    this.#role = role;
    // Distinguishes the processes' connections in PostgreSQL.
    this.#env = { ...env, PGAPPNAME: name };
  }

  /** Starts it for the first time. @throws Error with its output if it does not start */
  start(): Promise<void> {
    return this.#startWithin(0);
  }

  /** Starts it, repeatedly like a supervisor, because a store may be unavailable. */
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
        await wait(RETRY_DELAY_MS);
      }
    }
  }

  /** Kills it and starts it again. Returns false if another fault acts on it. */
  killAndRestart(): Promise<boolean> {
    return this.#alone(async () => {
      if (this.#process) this.#keepPrinted(await this.#process.ended('SIGKILL'));
      await this.#startWithin(STARTS_WITHIN_MS);
    });
  }

  /** Stops it like a deploy and starts it again. Returns false if another fault acts on it. */
  stopAndRestart(): Promise<boolean> {
    return this.#alone(async () => {
      const ended = await this.#process?.ended('SIGTERM');
      if (ended && ended.code !== 0) this.badStops += 1;
      if (ended) this.#keepPrinted(ended);
      await this.#startWithin(STARTS_WITHIN_MS);
    });
  }

  /** Suspends it during the work. Returns false if another fault acts on it. */
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

  /** Whether it ended without being stopped. */
  get hasFallen(): boolean {
    return !this.#isBusy && this.#process?.isOver === true;
  }

  /** Stops it. Returns the exit code, or null if it had to be killed. */
  async stop(): Promise<number | null> {
    const ended = await this.#process?.ended('SIGTERM');
    if (ended) this.#keepPrinted(ended);
    return ended?.code ?? null;
  }

  async kill(): Promise<void> {
    await this.#process?.ended('SIGKILL');
  }

  /** The output of all its processes. */
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
