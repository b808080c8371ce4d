import { pino } from 'pino';
import type { AppContext } from '../../src/app.ts';
import type { Clock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { connectDb } from '../../src/db/db.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createLive } from '../../src/live/live.ts';
import { worldConfig } from '../../tools/world/config.ts';
import type { SharedDatabase } from '../support/shared-database.ts';

/** A clock that only the test moves. */
export class SettableClock implements Clock {
  #now = new Date('2026-12-01T00:00:00Z');

  now(): Date {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds);
  }
}

/** The clock of a machine that is ahead of the true time. */
export function machineClock(aheadMs: number): Clock {
  return { now: () => new Date(Date.now() + aheadMs), isOfMachine: true };
}

export interface TestContext extends AppContext {
  readonly clock: SettableClock;
  /** All log lines as text, without redaction. */
  readonly logged: readonly string[];
  close(): Promise<void>;
}

/**
 * An application context on a real database, without a chain.
 *
 * @param shared the clients of a database that other worlds use too, which stay connected
 */
export function testContext(
  settings: Pick<Config, 'databaseUrl'> & Partial<Config>,
  shared?: Pick<SharedDatabase, 'db' | 'jobs'>,
): TestContext {
  const { databaseUrl, ...others } = settings;
  const config = worldConfig(databaseUrl, {
    // Processes that a test starts have the same key.
    secretKey: Uint8Array.from({ length: 32 }, (_, index) => index),
    logLevel: 'debug',
    ...others,
  });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => logged.push(line) });
  const db = shared?.db ?? connectDb(config.databaseUrl);
  const jobs = shared?.jobs ?? createJobs(config, log);
  const live = createLive(config, log);
  const clock = new SettableClock();
  return {
    config,
    db,
    chain: {},
    jobs,
    live,
    clock,
    wallClock: clock,
    log,
    logged,
    async close() {
      await Promise.all([jobs.close(), live.close()]);
      if (!shared) await db.$disconnect();
    },
  };
}
