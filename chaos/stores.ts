import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { startPostgres } from '../src/database/postgres-process.ts';
import { startRedis, type TestRedis } from '../test/jobs/redis.ts';

/** What is written is handed to the system before it is said to be committed, which outlives the server, not the machine. */
const FLAGS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'];
const STARTS_WITHIN_MS = 30_000;

/** A PostgreSQL that can be killed, and is started again on the same files at the same port. */
export class MortalPostgres {
  readonly url: string;
  readonly #folder: string;
  #stop: () => Promise<void>;
  #isBusy = false;

  private constructor(url: string, folder: string, stop: () => Promise<void>) {
    this.url = url;
    this.#folder = folder;
    this.#stop = stop;
  }

  static async start(folder: string): Promise<MortalPostgres> {
    const started = await startEmbeddedDatabase({ folder, persistent: true, flags: FLAGS });
    return new MortalPostgres(started.url, started.folder, started.stop);
  }

  /** Answers false, having done nothing, where that is being done already. */
  async killAndRestart(signal: 'SIGKILL' | 'SIGQUIT'): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      const pid = Number((await readFile(join(this.#folder, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
      process.kill(pid, signal);
      while (isRunning(pid)) await wait(20);
      await this.#startAgain();
      return true;
    } finally {
      this.#isBusy = false;
    }
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** The children of a server that was killed hold its memory for a moment. */
  async #startAgain(): Promise<void> {
    const deadline = performance.now() + STARTS_WITHIN_MS;
    const flags = ['-p', new URL(this.url).port, '-c', 'listen_addresses=127.0.0.1', ...FLAGS];
    for (;;) {
      let printed = '';
      try {
        ({ stop: this.#stop } = await startPostgres(this.#folder, flags, (text) => {
          printed += text;
        }));
        return;
      } catch (cause) {
        if (performance.now() > deadline)
          throw new Error(`PostgreSQL did not come back: ${printed}`, { cause });
        await wait(100);
      }
    }
  }
}

/** A Redis that loses everything now and then. */
export class MortalRedis {
  readonly url: string;
  readonly #binary: string;
  #server: TestRedis;
  #isBusy = false;

  private constructor(binary: string, server: TestRedis) {
    this.#binary = binary;
    this.#server = server;
    this.url = server.url;
  }

  static async start(binary: string): Promise<MortalRedis> {
    return new MortalRedis(binary, await startRedis(binary));
  }

  /** Answers false, having done nothing, where that is being done already. */
  async restart(): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      await this.#server.stop();
      this.#server = await startRedis(this.#binary, Number(new URL(this.url).port));
      return true;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Answers false where it is away. */
  async empty(): Promise<boolean> {
    if (this.#isBusy) return false;
    const client = new Redis(this.url);
    client.on('error', () => undefined);
    await client.flushall();
    await client.quit();
    return true;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
