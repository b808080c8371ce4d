import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../src/config.ts';
import { ask, forkModule, stop } from './child-process.ts';
import { Connection, requestsPerSecond, type WireRequest } from './http-load.ts';
import { median, round } from './statistics.ts';

/** Runs are short and alternate, so that other load on the machine affects both servers equally. */
const RUNS = 9;
const SECONDS = 1.5;
const CONNECTIONS = 32;

/** The API, and a handler that answers the same by hand. */
export interface Servers {
  readonly api: string;
  readonly byHand: string;
}

/** Starts a handler in a process of its own (`answer-by-hand.ts`). Returns its URL. */
export async function startByHand(
  closing: AsyncDisposableStack,
  module: URL,
  config: Config,
  log: number,
): Promise<string> {
  const server = forkModule(module, { stdout: log });
  closing.defer(() => stop(server));
  return (await ask<{ url: string }>(server, config)).url;
}

/** The requests one after the other, again and again. */
export function cycle(requests: readonly WireRequest[]): () => WireRequest {
  let next = 0;
  return () => requests[next++ % requests.length] as WireRequest;
}

/**
 * Measures the requests per second of both servers, and their ratio: medians of alternating runs
 * after a warm-up.
 */
export async function compare(
  label: string,
  { api, byHand }: Servers,
  next: () => WireRequest,
  connections = CONNECTIONS,
) {
  const load = { connections, seconds: SECONDS };
  const runs: { api: number; byHand: number }[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const figures = {
      api: await requestsPerSecond(api, load, next),
      byHand: await requestsPerSecond(byHand, load, next),
    };
    if (run === 0) continue;
    runs.push(figures);
    console.log(
      `${label}, run ${run} of ${RUNS}: ${round(figures.api)} per second, by hand ${round(figures.byHand)}`,
    );
  }
  return {
    api: median(runs.map((run) => run.api)),
    byHand: median(runs.map((run) => run.byHand)),
    ratio: median(runs.map((run) => run.api / run.byHand)),
  };
}

/** Throws unless both servers answer a request alike. */
export async function assertSameAnswers({ api, byHand }: Servers, request: WireRequest): Promise<void> {
  const [one, other] = await Promise.all(
    [api, byHand].map(async (url) => {
      const connection = new Connection(url);
      const { body } = await connection.ask(request);
      connection.close();
      return JSON.parse(body) as unknown;
    }),
  );
  if (isDeepStrictEqual(one, other)) return;
  throw new Error(`the answers differ: ${JSON.stringify(one)}\n${JSON.stringify(other)}`);
}
