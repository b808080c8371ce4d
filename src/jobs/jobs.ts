import type { JobsOptions } from 'bullmq';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { type JobName, type JobPayload, jobDefinition, jobNames } from './catalog.ts';
import { connectTransport, type JobQueue } from './transport.ts';

export interface JobOptions {
  /**
   * While a job of this name and id waits or runs, adding it again does nothing. It may not contain `:` nor be all
   * digits.
   */
  readonly jobId?: string;
}

/**
 * How long a caller waits for the queue. A queue that was never reached since the process began answers nothing at all, and
 * whoever hands work over has written down already what it is about.
 */
const HAND_OVER_MS = 1_000;

/** Hands work to the workers. It may be lost whole: what is owed stands in the database, and sweeps find it again. */
export interface Jobs {
  /** Rejects where the queue cannot be reached, or does not answer within a second; the job may be added all the same. */
  add<N extends JobName>(name: N, payload: JobPayload<N>, options?: JobOptions): Promise<void>;
  addMany<N extends JobName>(
    name: N,
    jobs: readonly ({ readonly payload: JobPayload<N> } & JobOptions)[],
  ): Promise<void>;
  /** How many jobs wait, run and rest until their time, of each name. Rejects as adding does. */
  depths(): Promise<{ readonly job: JobName; readonly state: string; readonly count: number }[]>;
  close(): Promise<void>;
}

/** Connects when the first job is added. */
export function createJobs(config: Config, log: Logger): Jobs {
  let connecting: ReturnType<typeof connectTransport> | undefined;
  const queues = new Map<JobName, JobQueue>();
  const queueOf = async (name: JobName) => {
    connecting ??= connectTransport(config, 'add', log).catch((error) => {
      connecting = undefined;
      throw error;
    });
    const transport = await connecting;
    let queue = queues.get(name);
    if (!queue) {
      queue = transport.queue(name);
      queue.on('error', (err) => {
        if (!transport.toldAlready(err)) log.error({ err, job: name }, 'queue out of reach');
      });
      queues.set(name, queue);
    }
    return queue;
  };
  return {
    async add(name, payload, options = {}) {
      const added = queueOf(name).then((queue) => queue.add(name, payload, jobOptions(name, options)));
      await inTime(name, added);
    },
    async addMany(name, jobs) {
      if (jobs.length === 0) return;
      const bulk = jobs.map(({ payload, ...options }) => ({
        name,
        data: payload,
        opts: jobOptions(name, options),
      }));
      await inTime(
        name,
        queueOf(name).then((queue) => queue.addBulk(bulk)),
      );
    },
    async depths() {
      const counts = jobNames.map(async (job) => {
        const asked = queueOf(job).then((queue) => queue.getJobCounts('waiting', 'active', 'delayed'));
        await inTime(job, asked);
        return Object.entries(await asked).map(([state, count]) => ({ job, state, count }));
      });
      return (await Promise.all(counts)).flat();
    },
    async close() {
      const transport = await connecting?.catch(() => undefined);
      // A queue that is still waiting for its store would be waited for.
      if (transport?.isAway()) transport.abandon();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await transport?.close();
    },
  };
}

async function inTime(name: JobName, added: Promise<unknown>): Promise<void> {
  // What comes of it when nobody waits any more is nobody's business.
  added.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the queue of ${name} did not answer within ${HAND_OVER_MS} ms`)),
    HAND_OVER_MS,
  );
  await Promise.race([added, late.promise]).finally(() => clearTimeout(timer));
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
