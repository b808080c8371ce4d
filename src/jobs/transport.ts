import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import type { JobName, RetiredQueue } from './catalog.ts';

type OnError = { on(event: 'error', listener: (error: Error) => void): unknown };
/** The part of BullMQ's queue that we use, on either store. */
export type JobQueue = OnError &
  Pick<
    Queue,
    | 'add'
    | 'addBulk'
    | 'upsertJobScheduler'
    | 'removeJobScheduler'
    | 'getJobScheduler'
    | 'getGlobalConcurrency'
    | 'setGlobalConcurrency'
    | 'getJobCounts'
    | 'getDelayed'
    | 'getJobs'
    | 'getWaiting'
    | 'getMetrics'
    | 'isPaused'
    | 'pause'
    | 'resume'
    | 'obliterate'
    | 'close'
  >;
/** The part of BullMQ's worker that we use, on either store. */
export type JobWorker = OnError & {
  on(event: 'failed', listener: (job: Job | undefined, error: Error) => void): unknown;
} & Pick<Worker, 'waitUntilReady' | 'pause' | 'close'>;

type ProcessJob = (job: Job) => Promise<void>;
type WorkerSettings = Pick<
  WorkerOptions,
  'concurrency' | 'maxStalledCount' | 'metrics' | 'stalledInterval'
> & {
  /** In milliseconds. The worker renews the lock while the job runs. */
  readonly lockDuration: number;
};

/** The use of a transport: adding jobs, or running them. */
export type TransportUse = 'add' | 'work';

export type QueueName = JobName | RetiredQueue;

/** The store of queues. Its queues and workers must be closed before it. */
export interface Transport {
  queue(name: QueueName): JobQueue;
  worker(name: JobName, process: ProcessJob, settings: WorkerSettings): JobWorker;
  /** How often a worker checks a queue for stalled jobs. */
  readonly stalledCheckMs: number;
  /** Runs work under a lock shared by all processes, if the store's commands are not atomic. */
  runExclusively(work: () => Promise<void>): Promise<void>;
  /** Shortens waits for the store, because the process stops. */
  stopping(): void;
  /** Whether the store is known to be unreachable. */
  isAway(): boolean;
  /** Resolves when the store becomes unreachable. */
  whenAway(): Promise<void>;
  /**
   * Whether an error belongs to an outage. An outage is logged once, so its errors are not logged.
   */
  isReported(error: Error): boolean;
  /** Fails all calls that wait for an unreachable store, so that the process can end. */
  abandon(): void;
  close(): Promise<void>;
}
