import {
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type QueueBaseOptions,
} from 'bullmq';
import type { BusyQueues } from './busy-queues.ts';

/**
 * Interval of asking the LISTEN connection. It may wait for hours, and without a question nobody
 * would notice that it is lost: workers would get no notifications.
 */
const QUESTION_INTERVAL_MS = 10_000;
/** The comment tells an operator who reads `pg_stat_activity` what the connection is for. */
const QUESTION = 'SELECT 1 -- on the connection of LISTEN bullmq_jobs';

/** One LISTEN connection for many queues. Its statements run in sequence, as `pg` requires. */
export class SharedConnection extends PostgresConnection {
  readonly #sequenced = new WeakSet<object>();
  #questions: NodeJS.Timeout | undefined;

  override async getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    const client = await super.getListenClient();
    if (this.#sequenced.has(client)) return client;
    this.#sequenced.add(client);
    const query = client.query.bind(client);
    let previous: Promise<unknown> = Promise.resolve();
    client.query = (text, params) => {
      const answer = previous.then(() => query<never>(text, params));
      previous = answer.catch(() => undefined);
      return answer;
    };
    // The connection is destroyed if it does not answer. BullMQ then opens another one.
    clearInterval(this.#questions);
    this.#questions = setInterval(() => {
      client.query(QUESTION).catch(() => undefined);
    }, QUESTION_INTERVAL_MS).unref();
    return client;
  }

  override async close(): Promise<void> {
    clearInterval(this.#questions);
    await super.close();
  }
}

/**
 * The backend of a queue on a shared connection. It listens again when the connection is renewed.
 * When it is closed, the connection stays open.
 */
export class SharingBackend extends PostgresQueueBackend {
  override async close(): Promise<void> {
    await this.disconnectBlocking();
  }

  override async disconnect(): Promise<void> {
    await this.disconnectBlocking();
  }
}

/** The backend of a worker. It searches for stalled jobs only while the queue may have any. */
export class WorkingBackend extends SharingBackend {
  readonly #busy: BusyQueues;
  readonly #lockMs: number;

  constructor(
    connection: PostgresConnection,
    name: string,
    opts: QueueBaseOptions<PostgresConnectionOptions>,
    { busy, lockMs }: { readonly busy: BusyQueues; readonly lockMs: number },
  ) {
    super(connection, name, opts);
    this.#busy = busy;
    this.#lockMs = lockMs;
  }

  override async waitForJob(blockTimeout: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    const hasJob = await super.waitForJob(blockTimeout);
    if (hasJob) this.#busy.notice(this.queueName);
    return hasJob;
  }

  override async moveToActive(
    token: string,
    name?: string,
  ): ReturnType<PostgresQueueBackend['moveToActive']> {
    const answer = await super.moveToActive(token, name);
    const [job] = answer;
    if (job) this.#busy.notice(this.queueName);
    return answer;
  }

  override async moveStalledJobsToWait(): Promise<string[]> {
    const isBusy = await this.#busy.isBusy(this.queueName, this.#lockMs);
    return isBusy ? super.moveStalledJobsToWait() : [];
  }
}
