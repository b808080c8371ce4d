import { openSync } from 'node:fs';
import { join } from 'node:path';
import { connectDb } from '../../src/db/db.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { graphqlPage, newCheckout, restPage } from '../lib/api-requests.ts';
import { startRoles, stop } from '../lib/child-process.ts';
import { assertSameAnswers, compare, compareAll, cycle, type Side, startByHand } from '../lib/compare.ts';
import { measureParts } from '../lib/figures.ts';
import { seedMerchants } from '../lib/seed-merchants.ts';
import { round } from '../lib/statistics.ts';
import type { API_FIGURES, PARTS } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { measureLive } from './live.ts';
import { type Peer, startPeers } from './start-peers.ts';

/**
 * Enough merchants to stay below the limit of requests per minute. Requests are counted as usual.
 */
const MERCHANTS = 2_000;
const SUBSCRIPTIONS_EACH = 40;
/** Half of the usual connections: fewer requests share a statement. */
const FEW_CONNECTIONS = 16;
/** Room for inserting a million rows between two checkpoints. All other settings are defaults. */
const DATABASE_FLAGS = ['-c', 'max_wal_size=4GB'];

/**
 * Measures `dues api` in a separate process, with PostgreSQL on the same machine, alternately with a
 * hand-written handler that answers the same JSON with `node:http` and `pg` (`by-hand.ts`). The API
 * looks up keys and counts requests as usual. The page by GraphQL is also compared with that of PostGraphile over
 * the same database (`peer.ts`). Also compares pages of a merchant with a million subscriptions with those of one
 * with 1,000, and measures live sockets.
 */
export default function benchApi({ only }: { readonly only?: (typeof PARTS)[number] }) {
  return measureParts<(typeof PARTS)[number], typeof API_FIGURES>(
    { requests: measureRequests, live: measureLive },
    only,
  );
}

async function measureRequests() {
  await using closing = new AsyncDisposableStack();
  const database = await startDatabase(closing, DATABASE_FLAGS);
  const config = worldConfig(database.url, { logLevel: 'info' });
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const log = openSync(join(database.folder, 'api.log'), 'w');
  const api = await startRoles({ config, roles: ['api'] }, log);
  closing.defer(() => stop(api.process));
  const servers = {
    api: api.url,
    byHand: await startByHand(closing, new URL('./by-hand.ts', import.meta.url), config, log),
  };
  const seeded = { merchants: MERCHANTS, subscriptions: SUBSCRIPTIONS_EACH };
  const keys = await seedMerchants(db, config.secretKey, seeded);
  const peers = await startPeers(closing, { db, config, keys, log });
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
  console.log(`${MERCHANTS} merchants with ${SUBSCRIPTIONS_EACH} subscriptions each`);

  const graphql = cycle(keys.map(graphqlPage));
  const rest = cycle(keys.map(restPage));
  let created = 0;
  const create = () => newCheckout(keys[created++ % keys.length] as string, created);
  await assertSameAnswers(servers, graphql());
  await assertSameAnswers(servers, rest());
  const pages = await compareAll('a page by GraphQL', {
    api: { url: servers.api, next: graphql },
    byHand: { url: servers.byHand, next: graphql },
    ...(peers && { peer: sideOf(peers.bare), peerRls: sideOf(peers.secured) }),
  });
  const fewPages = await compare('a page by GraphQL, 16 connections', servers, graphql, FEW_CONNECTIONS);
  const restPages = await compare('a page by REST', servers, rest);
  const creations = await compare('createCheckoutSession', servers, create);
  return {
    graphql_ratio: round(pages.ratioTo('byHand'), 3),
    graphql_ratio_16: round(fewPages.ratio, 3),
    peer_ratio: peers && round(pages.ratioTo('peer'), 3),
    peer_rls_ratio: peers && round(pages.ratioTo('peerRls'), 3),
    rest_ratio: round(restPages.ratio, 3),
    create_ratio: round(creations.ratio, 3),
    create_per_s: round(creations.api),
    page_growth: await measureGrowth(db, config.secretKey, servers.api),
    graphql_per_s: round(pages.perSecond('api')),
    graphql_by_hand_per_s: round(pages.perSecond('byHand')),
    peer_per_s: peers && round(pages.perSecond('peer')),
    peer_rls_per_s: peers && round(pages.perSecond('peerRls')),
    rest_per_s: round(restPages.api),
    rest_by_hand_per_s: round(restPages.byHand),
    create_by_hand_per_s: round(creations.byHand),
  };
}

function sideOf({ url, requests }: Peer): Side {
  return { url, next: cycle(requests) };
}
