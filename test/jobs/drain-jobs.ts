import { vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { jobDefinition, jobNames } from '../../src/jobs/catalog.ts';
import { connectTransport } from '../../src/jobs/transport.ts';
import { createLog } from '../../src/log.ts';

/** Waits until the workers have nothing left to do but to wait for their timers. */
export async function drainJobs(config: Config): Promise<void> {
  const transport = await connectTransport(config, 'add', createLog('silent'));
  const queues = jobNames
    .filter((name) => jobDefinition(name).everyMs === undefined)
    .map((name) => transport.queue(name));
  try {
    await vi.waitFor(
      async () => {
        const counts = await Promise.all(
          queues.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed')),
        );
        const left = counts.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
        if (left > 0) throw new Error(`${left} jobs are still waiting or running`);
      },
      { timeout: 20_000, interval: 20 },
    );
  } finally {
    await Promise.all(queues.map((queue) => queue.close()));
    await transport.close();
  }
}
