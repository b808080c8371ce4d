import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../src/config.ts';
import { ask, forkModule, stop } from './child-process.ts';
import { Connection, requestsPerSecond, type WireRequest } from './http-load.ts';
import { median, round } from './statistics.ts';

/** Runs are short and alternate, so that other load on the machine affects all servers equally. */
const RUNS = 9;
const SECONDS = 1.5;
const CONNECTIONS = 32;

/** The API, and a handler that answers the same by hand. */
export interface Servers {
  readonly api: string;
  readonly byHand: string;
}

/** A server, and the requests that it gets. */
export interface Side {
  readonly url: string;
  next(): WireRequest;
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

/** Compares the API with the handler by hand, which get the same requests. See `compareAll`. */
export async function compare(
  label: string,
  { api, byHand }: Servers,
  next: () => WireRequest,
  connections = CONNECTIONS,
) {
  const sides = { api: { url: api, next }, byHand: { url: byHand, next } };
  const { perSecond, ratioTo } = await compareAll(label, sides, connections);
  return { api: perSecond('api'), byHand: perSecond('byHand'), ratio: ratioTo('byHand') };
}

/**
 * Measures the requests per second of all servers, and the ratios of the API's to those of the others:
 * medians of alternating runs after a warm-up.
 */
export async function compareAll(
  label: string,
  sides: Readonly<Record<string, Side>> & { readonly api: Side },
  connections = CONNECTIONS,
) {
  const runs: Readonly<Record<string, number>>[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const figures: Record<string, number> = {};
    for (const [name, { url, next }] of Object.entries(sides)) {
      figures[name] = await requestsPerSecond(url, { connections, seconds: SECONDS }, next);
    }
    if (run === 0) continue;
    runs.push(figures);
    const rates = Object.entries(figures).map(([name, figure]) => `${name} ${round(figure)}`);
    console.log(`${label}, run ${run} of ${RUNS}, per second: ${rates.join(', ')}`);
  }
  const rateOf = (run: Readonly<Record<string, number>>, name: string) => run[name] ?? Number.NaN;
  return {
    perSecond: (name: string) => median(runs.map((run) => rateOf(run, name))),
    ratioTo: (name: string) => median(runs.map((run) => rateOf(run, 'api') / rateOf(run, name))),
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
