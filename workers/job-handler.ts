import type { AppContext } from '../src/app.ts';
import type { JobName } from '../src/jobs/catalog.ts';
import type * as worker from '../src/jobs/worker.ts';

/** Does one job with the dependencies of all use cases. */
export type JobHandler<N extends JobName> = worker.JobHandler<N, AppContext>;
export type JobHandlers = worker.JobHandlers<AppContext>;
