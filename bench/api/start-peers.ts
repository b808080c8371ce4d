import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/db/db.ts';
import { hashApiKey } from '../../src/secrets.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { graphql } from '../lib/api-requests.ts';
import { ask, forkModule, stop } from '../lib/child-process.ts';
import { Connection, type WireRequest } from '../lib/http-load.ts';
import type { PeerRequest } from './peer.ts';

/** With its packages it has 290 MB, more than a development dependency may have. */
const PACKAGE = 'postgraphile@5.1.5';
const INSTALL_TIMEOUT_MS = 5 * 60_000;
const ROLE = 'bench_peer';

const NODES = `totalCount nodes { address status walletAddress startedAt nextPaymentAt paymentCount
  customerByCustomerId { email customerId walletAddress } planByPlanId { planId name amount intervalSeconds } }`;
const NEWEST = 'first: 20, orderBy: [CREATED_AT_DESC, PRIMARY_KEY_DESC]';
const PAGE_OF_MERCHANT = `query Page($merchant: UUID!) {
  allItems(condition: { merchantId: $merchant, environment: TEST }, ${NEWEST}) { ${NODES} }
}`;
const OWN_PAGE = `query Page { allItems(${NEWEST}) { ${NODES} } }`;

/** A peer: its URL, and requests of the page that `graphqlPage` requests. */
export interface Peer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
}

/**
 * Installs PostGraphile into a temporary folder and starts it twice: bare, where the request names the merchant and
 * no key is checked, and with row-level security by the key of the request. Null if it cannot be installed, which is
 * said.
 */
export async function startPeers(
  closing: AsyncDisposableStack,
  { db, config, keys, log }: { db: Db; config: Config; keys: readonly string[]; log: number },
): Promise<{ readonly bare: Peer; readonly secured: Peer } | null> {
  const folder = await temporaryFolder(closing, 'dues-peer-');
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  try {
    await promisify(execFile)('npm', ['install', ...options, PACKAGE], { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr || error).split('\n', 1)[0];
    console.log(`NO PEER: npm cannot install ${PACKAGE} here, so there is no peer_ratio. ${reason}`);
    return null;
  }
  await secureRows(db);
  const merchants = await merchantsOf(db, config, keys);
  const start = async (role?: string) => {
    const child = forkModule(new URL('./peer.ts', import.meta.url), { stdout: log });
    closing.defer(() => stop(child));
    return (await ask<{ url: string }>(child, { config, folder, role } satisfies PeerRequest)).url;
  };
  const bare = {
    url: await start(),
    requests: keys.map((key, at) => graphql(key, PAGE_OF_MERCHANT, { merchant: merchants[at] })),
  };
  const secured = { url: await start(ROLE), requests: keys.map((key) => graphql(key, OWN_PAGE, {})) };
  for (const peer of [bare, secured]) await assertPage(peer);
  return { bare, secured };
}

/** Gives a role of its own the rows of the merchant whose key is in the setting `bench.key`. */
async function secureRows(db: Db): Promise<void> {
  await db.$executeRawUnsafe(`CREATE ROLE ${ROLE}`);
  await db.$executeRawUnsafe(`GRANT SELECT ON "Subscription", "Customer", "Plan" TO ${ROLE}`);
  await db.$executeRawUnsafe(`
    CREATE FUNCTION bench_key() RETURNS "ApiKey" LANGUAGE sql STABLE SECURITY DEFINER AS $$
      SELECT * FROM "ApiKey" WHERE "hash" = decode(current_setting('bench.key'), 'hex') AND "revokedAt" IS NULL $$`);
  for (const table of ['Subscription', 'Customer', 'Plan']) {
    await db.$executeRawUnsafe(`ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY`);
    // A subquery without a column of the row runs once per statement.
    await db.$executeRawUnsafe(`
      CREATE POLICY bench ON "${table}" TO ${ROLE} USING ("merchantId" = (SELECT (bench_key())."merchantId")
        AND "environment" = (SELECT (bench_key())."environment"))`);
  }
}

async function merchantsOf(db: Db, config: Config, keys: readonly string[]): Promise<string[]> {
  const rows = await db.apiKey.findMany({ select: { hash: true, merchantId: true } });
  const byHash = new Map(rows.map(({ hash, merchantId }) => [Buffer.from(hash).toString('hex'), merchantId]));
  return keys.map((key) => byHash.get(Buffer.from(hashApiKey(config.secretKey, key)).toString('hex')) ?? '');
}

/** @throws Error unless the peer shows a full page with customers, plans and the total */
async function assertPage({ url, requests: [request] }: Peer): Promise<void> {
  const connection = new Connection(url);
  const { body } = await connection.ask(request as WireRequest);
  connection.close();
  const { nodes, totalCount } = JSON.parse(body).data?.allItems ?? {};
  const isFull = nodes?.every(
    (node: Record<string, unknown>) => node.customerByCustomerId && node.planByPlanId,
  );
  if (nodes?.length !== 20 || totalCount < 20 || !isFull) throw new Error(`the peer answered ${body}`);
}
