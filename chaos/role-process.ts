import { setTimeout as wait } from 'node:timers/promises';
import { answersOk } from '../tools/answers-ok.ts';
import { DuesProcess } from '../tools/world/dues-process.ts';

const STARTS_WITHIN_MS = 90_000;
const RETRY_DELAY_MS = 300;

/** A role of dues in a separate process, which is started again after a fault has ended it. */
export class RoleProcess {
  readonly name: string;
  readonly #role: string;
  readonly #metricsPort: number;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #process: DuesProcess | undefined;
  /** Whether a fault affects the process, so that no other fault may. */
  #isBusy = false;
  /** The number of times that it did not stop with code 0 on request. */
  failedStops = 0;
  /** The output of processes that have ended. */
  #printed: string[] = [];

  /** @param metricsPort serves its health and metrics */
  constructor(
    name: string,
    role: string,
    env: Readonly<Record<string, string | undefined>>,
    metricsPort: number,
  ) {
    this.name = name;
    this.#role = role;
    this.#metricsPort = metricsPort;
    // Distinguishes the processes' connections in PostgreSQL.
    this.#env = { ...env, PGAPPNAME: name, METRICS_PORT: String(metricsPort) };
  }

  /** Whether its own readiness check passes: it asks the database, the node and the queues. */
  isReady(): Promise<boolean> {
    return answersOk(`http://127.0.0.1:${this.#metricsPort}/health/ready`);
  }

  /**
   * Starts the process for the first time.
   *
   * @throws Error with its output if it does not start
   */
  start(): Promise<void> {
    return this.#startWithin(0);
  }

  /** Starts the process, repeatedly as a supervisor does, because a store may be unavailable. */
  async #startWithin(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const started = new DuesProcess([this.#role], this.#env);
      this.#process = started;
      try {
        await started.printed(/"msg":"started"/, STARTS_WITHIN_MS);
        return;
      } catch (error) {
        this.#keepOutput(await started.ended('SIGKILL'));
        if (performance.now() > deadline) throw error;
        await wait(RETRY_DELAY_MS);
      }
    }
  }

  /** Kills the process and starts it again. Returns false if another fault affects it. */
  killAndRestart(): Promise<boolean> {
    return this.#runExclusively(async () => {
      if (this.#process) this.#keepOutput(await this.#process.ended('SIGKILL'));
      await this.#startWithin(STARTS_WITHIN_MS);
    });
  }

  /**
   * Stops the process as a deployment does and starts it again. Returns false as `killAndRestart`.
   */
  stopAndRestart(): Promise<boolean> {
    return this.#runExclusively(async () => {
      const ended = await this.#process?.ended('SIGTERM');
      if (ended && ended.code !== 0) this.failedStops += 1;
      if (ended) this.#keepOutput(ended);
      await this.#startWithin(STARTS_WITHIN_MS);
    });
  }

  /** Suspends the process during the work. Returns false if another fault affects it. */
  freeze(work: () => Promise<void>): Promise<boolean> {
    return this.#runExclusively(async () => {
      this.#process?.signal('SIGSTOP');
      try {
        await work();
      } finally {
        this.#process?.signal('SIGCONT');
      }
    });
  }

  /** Whether the process ended although it was not stopped or killed. */
  get hasEndedUnexpectedly(): boolean {
    return !this.#isBusy && this.#process?.isOver === true;
  }

  /** Stops the process. Returns the exit code, or null if a signal ended it. */
  async stop(): Promise<number | null> {
    const ended = await this.#process?.ended('SIGTERM');
    if (ended) this.#keepOutput(ended);
    return ended?.code ?? null;
  }

  async kill(): Promise<void> {
    await this.#process?.ended('SIGKILL');
  }

  /** The output of the current process and of earlier ones. */
  get printed(): string {
    const { stdout = '', stderr = '' } = this.#process ?? {};
    return [...this.#printed, stdout, stderr].join('');
  }

  #keepOutput({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
    this.#printed.push(stdout, stderr);
    this.#process = undefined;
  }

  async #runExclusively(work: () => Promise<void>): Promise<boolean> {
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
