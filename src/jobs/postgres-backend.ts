import {
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type QueueBaseOptions,
} from 'bullmq';
import type { BusyQueues } from './busy-queues.ts';

/** One LISTEN connection for many users. Statements run in sequence, as `pg` requires. */
export class SharedConnection extends PostgresConnection {
  readonly #queued = new WeakSet<object>();

  override async getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    const client = await super.getListenClient();
    if (this.#queued.has(client)) return client;
    this.#queued.add(client);
    const query = client.query.bind(client);
    let before: Promise<unknown> = Promise.resolve();
    client.query = (text, params) => {
      const answer = before.then(() => query<never>(text, params));
      before = answer.catch(() => undefined);
      return answer;
    };
    return client;
  }
}

/**
 * A queue's use of a shared connection. It listens again when the connection is renewed, and leaves
 * it open when it is closed itself.
 */
export class SharingBackend extends PostgresQueueBackend {
  override async close(): Promise<void> {
    await this.disconnectBlocking();
  }

  override async disconnect(): Promise<void> {
    await this.disconnectBlocking();
  }
}

/** A worker's use of it. It searches for stalled jobs only while there may be any. */
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
    const added = await super.waitForJob(blockTimeout);
    if (added) this.#busy.notice(this.queueName);
    return added;
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
