// Changes that somebody was told are done, and that only the database knows. With Redis they are kept
// there for a day, as delayed jobs, so that they can be made again if the database comes back without
// them. Queues in the database come back with it, so without Redis nothing is kept.
import type { Job } from 'bullmq';
import { type RedisConfig, redisOf } from '../config/redis-config.ts';
import type { Logger } from '../observability/log.ts';
import type { JobPayload } from './catalog.ts';
import type { Jobs } from './jobs.ts';
import { NotYet } from './not-yet.ts';
import { readPayload } from './read-payload.ts';

export const KEPT_MS = 24 * 3_600_000;
/** Jobs that are read at once. */
const PAGE = 1_000;

export type KeptChange = JobPayload<'changes.forget'>;

export interface KeepingContext {
  readonly config: RedisConfig;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/** Whether changes are kept: only Redis outlives the database. */
export function keepsChanges({ config }: Pick<KeepingContext, 'config'>): boolean {
  return redisOf(config) !== undefined;
}

/** Keeps a change after its commit. Never rejects, because the change is done. */
export async function keepChange(
  ctx: KeepingContext,
  change: Omit<KeptChange, 'at'> & { readonly at: Date },
): Promise<void> {
  if (!keepsChanges(ctx)) return;
  const { jobs, log } = ctx;
  // One job for each subject: a later change replaces an earlier one.
  const deduplication = { id: subjectOf(change), ttl: KEPT_MS, extend: true, replace: true };
  await jobs
    .add('changes.forget', { ...change, at: change.at.toISOString() }, { delayMs: KEPT_MS, deduplication })
    .catch((err: unknown) => log.warn({ err, kind: change.kind }, 'change not kept outside the database'));
}

/** A key, a subscription's cancellation, or its waivers. */
function subjectOf({ id, waivers }: Pick<KeptChange, 'id' | 'waivers'>): string {
  return waivers ? `${id}-waivers` : id;
}

/** Kept changes that cannot be read: what they ask for is not known, so a caller must not go on. */
export class UnreadableChanges extends Error {
  override name = 'UnreadableChanges';

  constructor(reasons: ReadonlyMap<string, string>) {
    const all = [...reasons].map(([id, reason]) => `${id} (${reason})`).join(', ');
    super(
      `Kept changes cannot be read: ${all}. Start a worker of the release that wrote them, or go on without one: dues restores give-up <id>`,
    );
  }
}

/**
 * The newest kept change of each subject, in the order of their times. Ends with an error
 * if Redis does not respond: a caller must not go on as if nothing was kept.
 *
 * @throws UnreadableChanges
 */
export async function keptChanges(ctx: Omit<KeepingContext, 'log'>): Promise<KeptChange[]> {
  const newest = new Map<string, KeptChange>();
  const unreadable = new Map<string, string>();
  for await (const job of keptJobs(ctx)) {
    const change = readChange(job);
    if (change instanceof Error) {
      unreadable.set(job.id ?? '', change.message);
      continue;
    }
    const known = newest.get(subjectOf(change));
    if (!known || known.at < change.at) newest.set(subjectOf(change), change);
  }
  if (unreadable.size > 0) throw new UnreadableChanges(unreadable);
  return [...newest.values()].sort((a, b) => a.at.localeCompare(b.at));
}

/**
 * Removes a kept change that cannot be read, so that collection goes on without it. Returns its
 * content for the log of the operator.
 *
 * @returns `unknown` if there is no such change, `readable` if it can be read and stays
 */
export async function giveUpChange(
  ctx: Omit<KeepingContext, 'log'>,
  id: string,
): Promise<'unknown' | 'readable' | { readonly content: string; readonly keptAt: Date }> {
  for await (const job of keptJobs(ctx)) {
    if (job.id !== id) continue;
    if (!(readChange(job) instanceof Error)) return 'readable';
    await job.remove();
    return { content: JSON.stringify(job.data), keptAt: new Date(job.timestamp) };
  }
  return 'unknown';
}

function readChange(job: Job): KeptChange | Error {
  try {
    return readPayload('changes.forget', job) as KeptChange;
  } catch (error) {
    if (error instanceof NotYet) return new Error('another release wrote it');
    return new Error(`${error instanceof Error ? error.message : error}`.replaceAll(/\s+/g, ' '));
  }
}

/** From the newest to the oldest, because the oldest ones end meanwhile. */
async function* keptJobs({ config, jobs }: Omit<KeepingContext, 'log'>): AsyncGenerator<Job> {
  if (!redisOf(config)) return;
  const queue = (await jobs.queues()).find(({ job }) => job === 'changes.forget')?.queue;
  // A page may lack jobs that ended while it was read, so only an empty one is the last.
  for (let start = 0; queue; start += PAGE) {
    const page = await queue.getJobs(['delayed', 'waiting', 'active'], start, start + PAGE - 1, false);
    if (page.length === 0) break;
    yield* page;
  }
}
