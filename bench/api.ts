import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../src/config.ts';
import { connectDb, type Db } from '../src/db.ts';
import { foldChanges } from '../src/domain/metrics/fold-changes.ts';
import { foldSubscriptionCounts } from '../src/domain/subscription/count-subscriptions.ts';
import { createLog } from '../src/log.ts';
import { hashApiKey } from '../src/secrets.ts';
import { seedMerchants } from './api-seed.ts';
import { startBenchDatabase } from './database.ts';
import { Connection, requestsPerSecond, type WireRequest, wireRequest } from './http-load.ts';
import { measureLive } from './live.ts';
import { median, round } from './statistics.ts';

/** So many that none comes near its limit of requests a minute: every request is counted, as always. */
const MERCHANTS = 2_000;
const SUBSCRIPTIONS_EACH = 40;
const FEW = 1_000;
const MANY = 1_000_000;
/** Short ones, in turns: whatever else the machine does meets both alike. */
const RUNS = 11;
const SECONDS = 1.5;
const CONNECTIONS = 32;
/** One after the other, of each merchant. */
const DEEP_PAGES = 300;
/** As in the first line of `bin/dues.ts`. */
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'];
const WANTED = {
  graphqlRatio: 0.35,
  restRatio: 0.5,
  createPerS: 800,
  pageGrowth: 1.3,
  idleSocketsMb: 400,
  liveP99Ms: 250,
};

const NODE = `id status walletAddress startedAt nextPaymentAt paymentCount
  customer { email customerId walletAddress } plan { planId name amount interval }`;
const PAGE = `query Page($limit: Int) {
  subscriptions(limit: $limit) { data { ${NODE} } pagination { page limit total pages } }
}`;
const DEEP_PAGE = `query Deep($after: String) {
  subscriptionsConnection(first: 20, after: $after) { edges { cursor node { ${NODE} } } pageInfo { hasNextPage endCursor } }
}`;
const CREATE = `mutation Create($input: CreateCheckoutSessionInput!) {
  createCheckoutSession(input: $input) { id url expiresAt }
}`;

/**
 * `npm run bench -- api`: what `dues api` runs, in a process of its own, with PostgreSQL on the same machine. Beside it, in turns
 * with it, a hand-written `node:http` + `pg` handler that answers the same JSON (`api-by-hand.ts`). Keys are looked up and
 * requests counted as always.
 */
export default async function benchApi(): Promise<void> {
  const figures = { ...(await measureRequests()), ...(await measureLive()) };
  const { graphql_ratio, rest_ratio, create_per_s, page_growth, idle_sockets_mb, live_p99_ms } = figures;
  console.table({
    'a page by GraphQL, over hand-written': { figure: graphql_ratio, wanted: `>= ${WANTED.graphqlRatio}` },
    'a page by REST, over hand-written': { figure: rest_ratio, wanted: `>= ${WANTED.restRatio}` },
    'createCheckoutSession a second': { figure: create_per_s, wanted: `>= ${WANTED.createPerS}` },
    'a page by cursor of 1,000,000, over 1,000': { figure: page_growth, wanted: `<= ${WANTED.pageGrowth}` },
    '5,000 idle live sockets, megabytes': { figure: idle_sockets_mb, wanted: `< ${WANTED.idleSocketsMb}` },
    'an event to each of 1,000, p99 in ms': { figure: live_p99_ms, wanted: `< ${WANTED.liveP99Ms}` },
  });
  console.log(JSON.stringify(figures));
  const isMissed =
    graphql_ratio < WANTED.graphqlRatio ||
    rest_ratio < WANTED.restRatio ||
    create_per_s < WANTED.createPerS ||
    page_growth > WANTED.pageGrowth ||
    idle_sockets_mb >= WANTED.idleSocketsMb ||
    live_p99_ms >= WANTED.liveP99Ms;
  if (isMissed) process.exitCode = 1;
}

async function measureRequests() {
  await using closing = new AsyncDisposableStack();
  const database = await startBenchDatabase(closing);
  const config = configOn(database.url);
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const log = openSync(join(database.folder, 'api.log'), 'w');
  const servers = {
    api: await startServer('./api-server.ts', config, log, closing),
    byHand: await startServer('./api-by-hand.ts', config, log, closing),
  };
  const keys = await seedMerchants(db, config.secretKey, {
    merchants: MERCHANTS,
    subscriptions: SUBSCRIPTIONS_EACH,
  });
  await settle(db);
  console.log(`${MERCHANTS} merchants with ${SUBSCRIPTIONS_EACH} subscriptions each`);

  const headersOf = (key: string) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
  });
  const inTurns = (requests: readonly WireRequest[]) => {
    let asked = 0;
    return () => requests[asked++ % requests.length] as WireRequest;
  };
  const asGraphql = (key: string, query: string, variables: object) =>
    wireRequest('POST', '/graphql', headersOf(key), JSON.stringify({ query, variables }));
  const graphql = inTurns(keys.map((key) => asGraphql(key, PAGE, { limit: 20 })));
  const rest = inTurns(keys.map((key) => wireRequest('GET', '/api/subscriptions', headersOf(key))));
  let created = 0;
  const create = () => {
    const input = {
      planId: 'pro',
      customerEmail: `customer-${created}@example.com`,
      successUrl: 'https://shop.example.com/thanks',
      metadata: { source: 'newsletter', order: created },
      idempotencyKey: randomUUID(),
    };
    return asGraphql(keys[created++ % keys.length] as string, CREATE, { input });
  };
  await assertSame(servers, graphql());
  await assertSame(servers, rest());
  const pages = await compare('a page by GraphQL', servers, graphql);
  const restPages = await compare('a page by REST', servers, rest);
  const creations = await compare('createCheckoutSession', servers, create);
  const growth = await measureGrowth(db, config.secretKey, servers.api, asGraphql, headersOf);
  return {
    graphql_ratio: round(pages.ratio, 3),
    rest_ratio: round(restPages.ratio, 3),
    create_per_s: round(creations.api),
    ...growth,
    compared_with: 'a hand-written node:http + pg handler that answers the same JSON',
    graphql_per_s: round(pages.api),
    graphql_by_hand_per_s: round(pages.byHand),
    rest_per_s: round(restPages.api),
    rest_by_hand_per_s: round(restPages.byHand),
    create_by_hand_per_s: round(creations.byHand),
  };
}

interface Servers {
  readonly api: string;
  readonly byHand: string;
}

async function startServer(
  file: string,
  config: Config,
  log: number,
  closing: AsyncDisposableStack,
): Promise<string> {
  const server = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: NODE_FLAGS,
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closing.defer(() => stop(server));
  server.send({ ...config, secretKey: [...config.secretKey] });
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return url;
}

/** Requests a second of both, in turns: medians of several runs, after one that warms up. */
async function compare(what: string, { api, byHand }: Servers, next: () => WireRequest) {
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  const runs: { api: number; byHand: number }[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const figures = {
      api: await requestsPerSecond(api, load, next),
      byHand: await requestsPerSecond(byHand, load, next),
    };
    if (run === 0) continue;
    runs.push(figures);
    console.log(
      `${what}, run ${run} of ${RUNS}: ${round(figures.api)} a second, by hand ${round(figures.byHand)}`,
    );
  }
  return {
    api: median(runs.map((run) => run.api)),
    byHand: median(runs.map((run) => run.byHand)),
    ratio: median(runs.map((run) => run.api / run.byHand)),
  };
}

async function assertSame({ api, byHand }: Servers, request: WireRequest): Promise<void> {
  const [one, other] = await Promise.all(
    [api, byHand].map(async (url) => {
      const connection = new Connection(url);
      const { body } = await connection.ask(request);
      connection.close();
      return JSON.parse(body) as unknown;
    }),
  );
  if (isDeepStrictEqual(one, other)) return;
  throw new Error(`not the same: ${JSON.stringify(one)}\n${JSON.stringify(other)}`);
}

/**
 * Pages from the middle of a list by cursor, one request after the other, of a merchant with a thousand subscriptions and one with
 * a million; and the first page by REST, which has their exact number.
 */
async function measureGrowth(
  db: Db,
  secretKey: Uint8Array,
  api: string,
  asGraphql: (key: string, query: string, variables: object) => WireRequest,
  headersOf: (key: string) => Record<string, string>,
) {
  const sizes = [FEW, MANY];
  const keys = await Promise.all(
    sizes.map((subscriptions) => seedMerchants(db, secretKey, { merchants: 1, subscriptions })),
  );
  await settle(db);
  console.log(`two merchants with ${FEW} and ${MANY} subscriptions`);
  const connection = new Connection(api);
  const timesOf = sizes.map(() => ({ deep: [] as number[], counted: [] as number[] }));
  const requests = await Promise.all(
    keys.map(async ([key = ''], index) => {
      const offset = Math.floor((sizes[index] ?? 0) / 2);
      const [middle] = await db.$queryRaw<{ id: string }[]>`
        SELECT "id" FROM "Subscription" WHERE "merchantId" = (
          SELECT "merchantId" FROM "ApiKey" WHERE "hash" = ${hashApiKey(secretKey, key)})
        ORDER BY "createdAt", "id" OFFSET ${offset} LIMIT 1`;
      const after = Buffer.from(`GPC:S:${middle?.id}`).toString('base64');
      return {
        deep: asGraphql(key, DEEP_PAGE, { after }),
        counted: wireRequest('GET', '/api/subscriptions', headersOf(key)),
      };
    }),
  );
  for (let page = 0; page < DEEP_PAGES; page++) {
    for (const [index, { deep, counted }] of requests.entries()) {
      timesOf[index]?.deep.push(await timed(connection, deep));
      timesOf[index]?.counted.push(await timed(connection, counted));
    }
  }
  connection.close();
  const [few, many] = timesOf.map(({ deep, counted }) => ({ deep: median(deep), counted: median(counted) }));
  if (!few || !many) throw new Error('Nothing was measured');
  return {
    page_growth: round(many.deep / few.deep, 2),
    counted_page_growth: round(many.counted / few.counted, 2),
    page_ms: round(few.deep, 2),
  };
}

async function timed(connection: Connection, request: WireRequest): Promise<number> {
  const since = performance.now();
  const { status, body } = await connection.ask(request);
  if (status !== 200 || body.includes('"errors"')) throw new Error(`answered ${status}: ${body}`);
  return performance.now() - since;
}

/** As the housekeeping leaves it. */
async function settle(db: Db): Promise<void> {
  await foldChanges({ db, log: createLog('warn') });
  await foldSubscriptionCounts({ db });
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
}

function configOn(databaseUrl: string): Config {
  return {
    databaseUrl,
    redisUrl: undefined,
    secretKey: randomBytes(32),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://127.0.0.1',
    logLevel: 'info',
    clock: 'system',
    webhookHostsAllowed: [],
    trustedProxies: [],
    clusters: {},
  };
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.disconnect();
  await exited;
}
