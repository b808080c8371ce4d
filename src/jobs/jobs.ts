import type { JobsOptions } from 'bullmq';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { type JobName, type JobPayload, jobDefinition } from './catalog.ts';
import { connectTransport, type JobQueue } from './transport.ts';

export interface JobOptions {
  /**
   * While a job of this name and id waits or runs, adding it again does nothing. It may not contain `:` nor be all
   * digits.
   */
  readonly jobId?: string;
}

/** Hands work to the workers. It may be lost whole: what is owed stands in the database, and sweeps find it again. */
export interface Jobs {
  /** Rejects where the queue cannot be reached. */
  add<N extends JobName>(name: N, payload: JobPayload<N>, options?: JobOptions): Promise<void>;
  addMany<N extends JobName>(
    name: N,
    jobs: readonly ({ readonly payload: JobPayload<N> } & JobOptions)[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** Connects when the first job is added. */
export function createJobs(config: Config, log: Logger): Jobs {
  let connecting: ReturnType<typeof connectTransport> | undefined;
  const queues = new Map<JobName, JobQueue>();
  const queueOf = async (name: JobName) => {
    connecting ??= connectTransport(config, 'add').catch((error) => {
      connecting = undefined;
      throw error;
    });
    const transport = await connecting;
    let queue = queues.get(name);
    if (!queue) {
      queue = transport.queue(name);
      queue.on('error', (err) => log.error({ err, job: name }, 'queue out of reach'));
      queues.set(name, queue);
    }
    return queue;
  };
  return {
    async add(name, payload, options = {}) {
      const queue = await queueOf(name);
      await queue.add(name, payload, jobOptions(name, options));
    },
    async addMany(name, jobs) {
      if (jobs.length === 0) return;
      const queue = await queueOf(name);
      await queue.addBulk(
        jobs.map(({ payload, ...options }) => ({ name, data: payload, opts: jobOptions(name, options) })),
      );
    },
    async close() {
      const transport = await connecting?.catch(() => undefined);
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await transport?.close();
    },
  };
}

/** How the catalog wants a job carried. */
export function jobOptions(name: JobName, { jobId }: JobOptions = {}): JobsOptions {
  const { attempts, backoffMs } = jobDefinition(name);
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    removeOnComplete: true,
    // A failed job that is kept would hold its id, and nobody could ever add it again. The log tells of it.
    ...(jobId === undefined ? { removeOnFail: { count: 100 } } : { jobId, removeOnFail: true }),
  };
}
