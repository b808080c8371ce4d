import type { AppContext } from '../src/app.ts';
import { followTimeline } from '../src/domain/maintenance/after-restore/follow-timeline.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from './job-handler.ts';

/** The delay of the next look, while an environment waits. */
const NEXT_LOOK_MS = 1_000;

/**
 * `timelines.follow`: after the database came back, waits until the chain was read. While an
 * environment waits, it adds the next job. An error of one environment does not stop the other.
 */
export const followTimelinesJob: JobHandler<'timelines.follow'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  const waiting = await Promise.all(environments.map((environment) => followQuietly(ctx, environment)));
  if (!waiting.includes(true)) return;
  const deduplication = { id: 'next', keepLastIfActive: true };
  await ctx.jobs.add('timelines.follow', {}, { delayMs: NEXT_LOOK_MS, deduplication });
};

async function followQuietly(ctx: AppContext, environment: Environment): Promise<boolean> {
  const chain = ctx.chain[environment];
  try {
    return chain !== undefined && (await followTimeline(ctx, chain));
  } catch (err) {
    ctx.log.error({ err, environment }, 'chain not read after the database came back: will be retried');
    return false;
  }
}
