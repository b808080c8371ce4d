import type { Chain } from './chain/chain.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { Environment } from './generated/prisma/client.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Live } from './jobs/live.ts';
import type { Logger } from './log.ts';

/** All that a use case needs of the outside; built once, closed once. */
export interface AppContext {
  readonly config: Config;
  readonly db: Db;
  /** One cluster an environment; `undefined` where that environment is not configured. */
  readonly chain: Readonly<Partial<Record<Environment, Chain>>>;
  readonly jobs: Jobs;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Logger;
}
