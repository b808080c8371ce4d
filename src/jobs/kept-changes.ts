// Changes that somebody was told are done, and that only the database knows. With Redis they are kept
// there for a day, as delayed jobs, so that they can be made again if the database comes back without
// them. Queues in the database come back with it, so without Redis nothing is kept.
import { type RedisConfig, redisOf } from '../config/redis-config.ts';
import type { Logger } from '../observability/log.ts';
import type { JobPayload } from './catalog.ts';
import type { Jobs } from './jobs.ts';
import { readPayload } from './read-payload.ts';

const KEPT_MS = 24 * 3_600_000;
/** Jobs that are read at once. */
const PAGE = 1_000;

export type KeptChange = JobPayload<'changes.forget'>;

export interface KeepingContext {
  readonly config: RedisConfig;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/** Keeps a change after its commit. Never rejects, because the change is done. */
export async function keepChange(
  { config, jobs, log }: KeepingContext,
  change: Omit<KeptChange, 'at'> & { readonly at: Date },
): Promise<void> {
  if (!redisOf(config)) return;
  // One job for each subscription or key: a later change replaces an earlier one.
  const deduplication = { id: change.id, ttl: KEPT_MS, extend: true, replace: true };
  await jobs
    .add('changes.forget', { ...change, at: change.at.toISOString() }, { delayMs: KEPT_MS, deduplication })
    .catch((err: unknown) => log.warn({ err, kind: change.kind }, 'change not kept outside the database'));
}

/**
 * The newest kept change of each subscription or key, in the order of their times. Ends with an error
 * if Redis does not respond: a caller must not go on as if nothing was kept.
 */
export async function keptChanges({ config, jobs }: Omit<KeepingContext, 'log'>): Promise<KeptChange[]> {
  if (!redisOf(config)) return [];
  const queue = (await jobs.queues()).find(({ job }) => job === 'changes.forget')?.queue;
  const newest = new Map<string, KeptChange>();
  // From the newest to the oldest, because the oldest ones end meanwhile. A page may lack jobs that
  // ended while it was read, so only an empty one is the last.
  for (let start = 0; queue; start += PAGE) {
    const page = await queue.getJobs(['delayed', 'waiting', 'active'], start, start + PAGE - 1, false);
    if (page.length === 0) break;
    for (const job of page) {
      const change = readPayload('changes.forget', job) as KeptChange;
      const known = newest.get(change.id);
      if (!known || known.at < change.at) newest.set(change.id, change);
    }
  }
  return [...newest.values()].sort((a, b) => a.at.localeCompare(b.at));
}
