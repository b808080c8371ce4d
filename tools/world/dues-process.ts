import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopWithThisProcess } from '../stop-with-this-process.ts';

const THIS_CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const READY_TIMEOUT_MS = 120_000;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProcessOptions {
  readonly cwd?: string | undefined;
  readonly stdout?: number | 'pipe';
  readonly checkout?: string;
}

/**
 * One `dues` command in a separate process, which ends with this one. Its environment contains only
 * PATH, NO_COLOR, LOCALNET_PROGRAM, NODE_COMPILE_CACHE and the variables in `env`.
 */
export class DuesProcess {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  /**
   * @param stdout a file descriptor for standard output, which is then not recorded
   * @param checkout the folder of another release; default this one
   */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>> = {},
    { cwd, stdout = 'pipe', checkout = THIS_CHECKOUT }: ProcessOptions = {},
  ) {
    const dues = join(checkout, 'bin/dues.ts');
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', dues, ...args], {
      env: {
        PATH: process.env.PATH,
        NO_COLOR: '1',
        LOCALNET_PROGRAM: process.env.LOCALNET_PROGRAM,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...env,
      },
      cwd,
      stdio: ['ignore', stdout, 'pipe'],
    });
    stopWithThisProcess(this.#child);
    this.#exited = once(this.#child, 'close');
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /**
   * Resolves when the output matches the pattern. Rejects with the output if the process ends
   * first, or after `withinMs`.
   */
  async printed(pattern: RegExp, withinMs = READY_TIMEOUT_MS): Promise<RegExpMatchArray> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const match = this.stdout.match(pattern);
      if (match) return match;
      if (this.isOver || performance.now() > deadline) {
        throw new Error(`${pattern} was not printed. The output is:\n${this.stdout}\n${this.stderr}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Sends a signal if the process still runs. */
  signal(signal: NodeJS.Signals): void {
    if (!this.isOver) this.#child.kill(signal);
  }

  /** Sends the signal, if one is given, and waits for the end of the process. */
  async ended(signal?: NodeJS.Signals): Promise<CommandResult & { readonly tookMs: number }> {
    const startedAt = performance.now();
    if (signal) this.signal(signal);
    await this.#exited;
    const { stdout, stderr } = this;
    return { code: this.#child.exitCode, stdout, stderr, tookMs: performance.now() - startedAt };
  }
}

/** Runs a command to its end. */
export function runDues(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd?: string,
): Promise<CommandResult> {
  return new DuesProcess(args, env, { cwd }).ended();
}
