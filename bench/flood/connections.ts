import type { ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectDb } from '../../src/db/db.ts';
import { findHaproxy, startHaproxy } from '../../tools/haproxy.ts';
import { startRedisIfFound } from '../../tools/redis-server.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { graphqlPage, openCheckout, restPage } from '../lib/api-requests.ts';
import { ask, forkModule, stop } from '../lib/child-process.ts';
import { Connection } from '../lib/http-load.ts';
import { seedMerchants } from '../lib/seed-merchants.ts';
import { percentile, round } from '../lib/statistics.ts';
import { ATTACKS, type AttackName, type FloodFigures } from './attacks.ts';
import type { FloodOrder, NeighbourOrder } from './load.ts';
import type { ServerReport } from './server.ts';

/** Merchants that do not flood. With this number, each stays below its limit. */
const MERCHANTS = 60;
const SUBSCRIPTIONS_EACH = 40;
const VICTIM_CONNECTIONS = 4;
const VICTIM_EVERY_MS = 50;
const FLOOD_SECONDS = 3.5;
const IDLE_SECONDS = 6;
const BETWEEN_SECONDS = 2;
/** Wait before and after a measurement, for a flood to take and lose effect. */
const PAUSE_MS = 500;
/** The proxy that the flooder plays, and the address of HAProxy. */
const PROXY = '127.0.9.9';
const HAPROXY = '127.0.0.1';
const ADDRESSES = 500;
/** One flood alone: `npm run bench -- flood --store redis --attack sse --from many`. */
export interface OnlyFlood {
  readonly store?: string;
  readonly attack?: string;
  readonly from?: string;
  /** With `proxy`, HAProxy with the shipped configuration is in front of the API. */
  readonly behind?: string;
}

interface Scenario {
  readonly store: string;
  readonly attack: AttackName;
  readonly from: 'one' | 'many';
}

export interface FloodResult extends Scenario {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The p99 of the merchants' latency before and after the flood. */
  readonly idleP99Ms: number;
  /** Their p99 beside a process that uses as much processor time as the flooder did. */
  readonly busyP99Ms: number;
  readonly ratio: number;
  /** Share of one processor used by the flooder. */
  readonly flooderCpu: number;
  /** The longest pause of the API's event loop in the flood. */
  readonly pauseMs: number;
  readonly growthMb: number;
  readonly refusedPerS: number;
  readonly answeredPerS: number;
}

/**
 * Another process floods `dues api` with each kind of attack, while merchants with keys continue to
 * request pages. Their latency is compared with that beside a process that uses as much processor
 * time and does not call the API.
 */
export async function measureConnections(only: OnlyFlood): Promise<FloodResult[]> {
  await using closing = new AsyncDisposableStack();
  const redis = await startRedisIfFound(closing);
  if (!redis) console.log('there is no redis-server: only the counter in PostgreSQL is measured');
  const stores = [
    { store: 'postgresql', url: undefined },
    ...(redis ? [{ store: 'redis', url: redis.url }] : []),
  ];
  const measured: FloodResult[] = [];
  for (const { store, url } of stores) {
    if (only.store === undefined || only.store === store) measured.push(...(await floodOn(store, url, only)));
  }
  return measured;
}

async function floodOn(store: string, redisUrl: string | undefined, only: OnlyFlood): Promise<FloodResult[]> {
  await using closing = new AsyncDisposableStack();
  const database = await startDatabase(closing);
  const isProxied = only.behind === 'proxy';
  const trustedProxies = [isProxied ? HAPROXY : PROXY];
  const config = worldConfig(database.url, { logLevel: 'info', redisUrl, trustedProxies });
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const keys = await seedMerchants(db, config.secretKey, {
    merchants: MERCHANTS,
    subscriptions: SUBSCRIPTIONS_EACH,
  });
  await db.$executeRaw`VACUUM ANALYZE`;
  const log = openSync(join(database.folder, 'api.log'), 'w');
  const server = forkModule(new URL('./server.ts', import.meta.url), { stdout: log });
  closing.defer(() => stop(server));
  const { url: apiUrl } = await ask<{ url: string }>(server, config);
  const url = isProxied ? await startProxy(closing, apiUrl) : apiUrl;
  const flooder = forkModule(new URL('./load.ts', import.meta.url));
  closing.defer(() => stop(flooder));
  const sessionId = await openCheckout(url, keys[0] as string, 'pro');

  const requests = keys.flatMap((key) => [graphqlPage(key), restPage(key)]);
  await requestAsMerchants(url, requests, IDLE_SECONDS / 2);
  await readReport(server);
  const idle = await requestAsMerchants(url, requests, IDLE_SECONDS);
  const { mostBytes: idleBytes } = await readReport(server);
  console.log(
    `${store}, without a flood: p50 ${round(percentile(idle, 0.5), 1)} ms, p99 ${round(percentile(idle, 0.99), 1)} ms`,
  );

  const measured: FloodResult[] = [];
  let before = idle;
  for (const attack of Object.keys(ATTACKS) as AttackName[]) {
    if (only.attack !== undefined && only.attack !== attack) continue;
    for (const from of ['one', 'many'] as const) {
      if (only.from !== undefined && only.from !== from) continue;
      const sources = isProxied
        ? sourcesBehindProxy(from, measured.length)
        : bareSources(from, measured.length);
      const order = {
        attack,
        seconds: FLOOD_SECONDS,
        port: Number(new URL(url).port),
        sessionId,
        ...sources,
      };
      // The next report is then only about the flood.
      await readReport(server);
      const [flooded, latencies] = await Promise.all([
        ask<FloodFigures>(flooder, order),
        wait(PAUSE_MS).then(() => requestAsMerchants(url, requests, FLOOD_SECONDS - PAUSE_MS / 1_000)),
      ]);
      const { mostBytes, longestPauseMs } = await readReport(server);
      const growthMb = round((mostBytes - idleBytes) / 1_000_000);
      await wait(PAUSE_MS);
      // Other load on the machine changes, so a flood is compared with the seconds before and
      // after.
      const after = await requestAsMerchants(url, requests, BETWEEN_SECONDS);
      const idleP99 = percentile([...before, ...after], 0.99);
      before = after;
      const seconds = FLOOD_SECONDS - PAUSE_MS / 1_000;
      const neighbour: NeighbourOrder = { busyShare: flooded.busyShare, seconds };
      const [, busyLatencies] = await Promise.all([
        ask(flooder, neighbour),
        requestAsMerchants(url, requests, seconds),
      ]);
      const busyP99 = percentile(busyLatencies, 0.99);
      const p99Ms = round(percentile(latencies, 0.99), 1);
      measured.push({
        store,
        attack,
        from,
        p50Ms: round(percentile(latencies, 0.5), 1),
        p99Ms,
        idleP99Ms: round(idleP99, 1),
        busyP99Ms: round(busyP99, 1),
        ratio: round(p99Ms / busyP99, 2),
        flooderCpu: round(flooded.busyShare, 2),
        pauseMs: round(longestPauseMs, 1),
        growthMb,
        refusedPerS: round(flooded.refused / FLOOD_SECONDS),
        answeredPerS: round(flooded.answered / FLOOD_SECONDS),
      });
      console.log(JSON.stringify(measured.at(-1)));
    }
  }
  return measured;
}

async function startProxy(closing: AsyncDisposableStack, apiUrl: string): Promise<string> {
  const binary = findHaproxy();
  if (binary === undefined) throw new Error('There is no haproxy on this machine.');
  return (await startHaproxy(closing, binary, { apiPort: Number(new URL(apiUrl).port) })).url;
}

type Sources = Pick<FloodOrder, 'localAddresses' | 'forwardedFor'>;

/**
 * The addresses of a flood that the API gets itself. Each flood has its own, because earlier ones
 * have used up their limit per minute. Many are named by a trusted proxy.
 */
function bareSources(from: 'one' | 'many', index: number): Sources {
  if (from === 'one') return { localAddresses: [`127.0.1.${index + 1}`], forwardedFor: [] };
  return { localAddresses: [PROXY], forwardedFor: newAddresses('198.18', index * 2) };
}

/** The same behind HAProxy, which sees the addresses of the connections. */
function sourcesBehindProxy(from: 'one' | 'many', index: number): Sources {
  if (from === 'one') return { localAddresses: [`127.0.1.${index + 1}`], forwardedFor: [] };
  return { localAddresses: newAddresses('127.18', index * 2), forwardedFor: [] };
}

function newAddresses(network: string, first: number): string[] {
  return Array.from(
    { length: ADDRESSES },
    (_, number) => `${network}.${first + Math.floor(number / 250)}.${(number % 250) + 1}`,
  );
}

/** Sends the merchants' requests over several connections. Returns the milliseconds of each. */
async function requestAsMerchants(
  url: string,
  requests: readonly ReturnType<typeof restPage>[],
  seconds: number,
): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  const repeatRequests = async (first: number) => {
    const connection = new Connection(url);
    for (let index = first; performance.now() < until; index += VICTIM_CONNECTIONS) {
      const since = performance.now();
      const { status, body } = await connection.ask(requests[index % requests.length] as Buffer);
      if (status !== 200 || body.includes('"errors"')) throw new Error(`answered ${status}: ${body}`);
      latencies.push(performance.now() - since);
      await wait(VICTIM_EVERY_MS);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: VICTIM_CONNECTIONS }, (_, index) => repeatRequests(index)));
  return latencies;
}

const readReport = (server: ChildProcess) => ask<ServerReport>(server, 'report');
