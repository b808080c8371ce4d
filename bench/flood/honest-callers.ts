import { setTimeout as wait } from 'node:timers/promises';
import { Connection, type WireRequest } from '../lib/http-load.ts';

const PER_SECOND = 20;
/** Maximum requests that wait for an answer at the same time. */
const MAX_OPEN = 200;

/** How honest callers were served. */
export interface Served {
  /** Milliseconds from when each request was due until its answer. */
  readonly latencies: readonly number[];
  /** The number of requests that were refused, failed, or got no answer. */
  readonly refused: number;
}

/**
 * Sends 20 requests per second, whether or not earlier ones are answered: callers do not wait for
 * each other. Resolves when all are answered.
 */
export async function serveHonestCallers(
  url: string,
  requests: readonly WireRequest[],
  seconds: number,
): Promise<Served> {
  const idle: Connection[] = [];
  const latencies: number[] = [];
  let [open, refused] = [0, 0];
  const ask = async (request: WireRequest, dueAt: number) => {
    if (open >= MAX_OPEN) {
      refused += 1;
      return;
    }
    open += 1;
    const connection = takeOpen(idle) ?? new Connection(url);
    try {
      const { status, body } = await connection.ask(request);
      latencies.push(performance.now() - dueAt);
      if (status !== 200 || body.includes('"errors"')) refused += 1;
      idle.push(connection);
    } catch {
      // The server closed the connection.
      refused += 1;
    } finally {
      open -= 1;
    }
  };
  const since = performance.now();
  const asked: Promise<void>[] = [];
  for (let index = 0; index < seconds * PER_SECOND; index++) {
    const dueAt = since + (index * 1_000) / PER_SECOND;
    await wait(Math.max(0, dueAt - performance.now()));
    asked.push(ask(requests[index % requests.length] as WireRequest, dueAt));
  }
  await Promise.all(asked);
  for (const connection of idle) connection.close();
  return { latencies, refused };
}

/** Takes the connection that was used last. The server closes those that are idle for long. */
function takeOpen(idle: Connection[]): Connection | undefined {
  for (let connection = idle.pop(); connection; connection = idle.pop()) {
    if (!connection.isClosed) return connection;
  }
  return undefined;
}
