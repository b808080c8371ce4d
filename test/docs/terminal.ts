import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A shell in which the blocks of a page run one after the other and share their variables. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #folder: string;
  readonly #withinMs: number;
  #printed = '';
  /** The length of the output up to the end of the last match. */
  #matched = 0;
  #blocks = 0;

  constructor(options: {
    /** The working folder. */
    readonly cwd: string;
    /** The folder in which the blocks are saved. */
    readonly folder: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Maximum time for one block, or for one output. */
    readonly withinMs: number;
  }) {
    this.#folder = options.folder;
    this.#withinMs = options.withinMs;
    // A separate process group, so that the programs of the shell end with the shell.
    this.#shell = spawn('bash', ['-e', '-o', 'pipefail'], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#closed = once(this.#shell, 'close');
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#printed += text;
      });
    }
  }

  /** Starts a block. Call `waitForEnd` or `waitForOutput` afterwards. */
  async start(code: string): Promise<void> {
    this.#blocks += 1;
    const file = join(this.#folder, `block-${this.#shell.pid}-${this.#blocks}.sh`);
    await writeFile(file, code);
    this.#shell.stdin?.write(`source ${file} </dev/null\necho "${this.#end}"\n`);
  }

  /** Waits for the end of the block. Throws if one of its commands fails. */
  async waitForEnd(): Promise<void> {
    await this.#until(() => this.#printed.includes(this.#end), 'did not end');
  }

  /** Waits until the pattern is printed after the last match. The block may still be running. */
  async waitForOutput(pattern: RegExp): Promise<void> {
    await this.#until(() => {
      const found = pattern.exec(this.#printed.slice(this.#matched));
      if (found) this.#matched += found.index + found[0].length;
      return found !== null;
    }, `did not print ${pattern}`);
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode === null && this.#shell.pid !== undefined) process.kill(-this.#shell.pid);
    await this.#closed;
  }

  get #end(): string {
    return `-- end of block ${this.#blocks} --`;
  }

  async #until(condition: () => boolean, problem: string): Promise<void> {
    const deadline = performance.now() + this.#withinMs;
    while (!condition()) {
      if (this.#shell.exitCode !== null || performance.now() > deadline) {
        throw new Error(`The block ${problem}:\n${this.#printed}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
