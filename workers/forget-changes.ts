import { NotYet } from '../src/jobs/not-yet.ts';
import type { JobHandler } from './job-handler.ts';

/** The delay of the next look, while the kept changes may still be needed. */
const NEXT_LOOK_MS = 60_000;

/**
 * `changes.forget`: its end is all that is needed. While a database that came back is not complete
 * again, the change is kept on, because it may have to be made again.
 */
export const forgetChangesJob: JobHandler<'changes.forget'> = async ({ db }) => {
  if ((await db.databaseTimeline.count({ where: { readAt: null } })) > 0) throw new NotYet(NEXT_LOOK_MS);
};
