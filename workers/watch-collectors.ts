import { watchCollectors } from '../src/domain/collector/watch-collectors.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `collectors.watch`: every ten minutes, and when a worker starts. */
export const watchCollectorsJob: JobHandler<'collectors.watch'> = (ctx) => watchCollectors(ctx);
