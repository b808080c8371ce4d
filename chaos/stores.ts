import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startEmbeddedDatabase } from '../src/postgres/embedded.ts';
import { startPostgres } from '../src/postgres/postgres-process.ts';
import { startRedis, type TestRedis } from '../tools/redis-server.ts';

/**
 * Commits are passed to the operating system, so they survive a crash of the server process even
 * without fsync.
 */
const FLAGS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'];
const STARTS_WITHIN_MS = 30_000;

/** A PostgreSQL server that can be killed, and restarts with the same files and port. */
export class KillablePostgres {
  readonly url: string;
  readonly #folder: string;
  #stop: () => Promise<void>;
  #isBusy = false;

  private constructor(url: string, folder: string, stop: () => Promise<void>) {
    this.url = url;
    this.#folder = folder;
    this.#stop = stop;
  }

  static async start(folder: string): Promise<KillablePostgres> {
    const started = await startEmbeddedDatabase({ folder, persistent: true, flags: FLAGS });
    return new KillablePostgres(started.url, started.folder, started.stop);
  }

  /** Kills and restarts the server. Returns false if that is already happening. */
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

  /** Retries, because the children of a killed server keep its shared memory for a short time. */
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
          throw new Error(`PostgreSQL did not start again: ${printed}`, { cause });
        await wait(100);
      }
    }
  }
}

/** A Redis server that can be restarted, with or without its data. */
export class RestartableRedis {
  readonly url: string;
  readonly #binary: string;
  #server: TestRedis;
  #isBusy = false;

  private constructor(binary: string, server: TestRedis) {
    this.#binary = binary;
    this.#server = server;
    this.url = server.url;
  }

  static async start(binary: string): Promise<RestartableRedis> {
    return new RestartableRedis(binary, await startRedis(binary));
  }

  /** Restarts the server without its data. Returns false if a restart is already happening. */
  restart(): Promise<boolean> {
    return this.#replace(async () => {
      await this.#server.stop();
      return startRedis(this.#binary, Number(new URL(this.url).port));
    });
  }

  /** Kills the server and restarts it with its data. Returns false as `restart` does. */
  killAndKeep(): Promise<boolean> {
    return this.#replace(() => this.#server.killAndKeep());
  }

  async #replace(startReplacement: () => Promise<TestRedis>): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      this.#server = await startReplacement();
      return true;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Deletes all data. Returns false if a restart is happening. */
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
