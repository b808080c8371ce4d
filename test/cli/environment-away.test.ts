import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { pino } from 'pino';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { airdropLamports } from '../../bin/airdrop.ts';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { localCluster } from '../../bin/local-cluster.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { type Localnet, startLocalnet } from '../../localnet/localnet.ts';
import { reachClusters } from '../../src/chain/rpc/reach-clusters.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import { DuesProcess, runDues } from '../../tools/world/dues-process.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const localnet: Localnet = await startLocalnet({ slotMs: 100 });
const key = await newKeyPairBytes();
await fund(localnet);
afterAll(async () => {
  await localnet.close();
});

async function fund({ network }: Localnet) {
  await airdropLamports(network, (await createKeyPairSignerFromBytes(key)).address);
}

const variables = (environment: string, rpcUrl: string, collectorKey = key) => ({
  [`${environment}_RPC_URL`]: rpcUrl,
  [`${environment}_USDC_MINT`]: USDC_MINT,
  [`${environment}_COLLECTOR_KEY`]: JSON.stringify([...collectorKey]),
});

async function start(role: string, clusters: Record<string, string>) {
  const process = new DuesProcess([role], {
    ...clusters,
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    METRICS_PORT: '0',
  });
  await process.printed(/"msg":"started"/);
  const [, port] = await process.printed(/"metricsPort":(\d+)/);
  const readReadiness = async (path = '') => {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready${path}`);
    return { status: response.status, checks: ((await response.json()) as { checks: object }).checks };
  };
  return { process, readReadiness };
}

it.each([
  ['api', 'TEST', 'LIVE'],
  ['indexer', 'LIVE', 'TEST'],
  ['worker', 'TEST', 'LIVE'],
  ['start', 'LIVE', 'TEST'],
])(
  'dues %s starts without the %s cluster, and adds it once it is reachable',
  async (role, away, reachable) => {
    const rpcPort = await freePort();
    const { process, readReadiness } = await start(role, {
      ...variables(away, `http://127.0.0.1:${rpcPort}`),
      ...variables(reachable, localnet.rpcUrl),
    });
    try {
      await process.printed(
        new RegExp(`"environment":"${away}".*environment unreachable: started without it`),
      );
      await vi.waitFor(async () => {
        const { status, checks } = await readReadiness();
        expect(checks).toMatchObject({ [`cluster ${away}`]: { ok: false, environment: away } });
        expect(status).toBe(200);
      }, SOON);
      if (role !== 'api') expect((await readReadiness(`/${away.toLowerCase()}`)).status).toBe(503);
      await using started = await startLocalnetAt(rpcPort);
      await fund(started.localnet);
      await process.printed(new RegExp(`"environment":"${away}".*environment reachable: added`));
      // Answers are cached for a second, so the first one may be older.
      await vi.waitFor(async () => {
        expect((await readReadiness()).checks).not.toHaveProperty(`cluster ${away}`);
        if (role !== 'api') expect((await readReadiness(`/${away.toLowerCase()}`)).status).toBe(200);
      }, SOON);
      // The process is stopped before its network.
      expect(await process.ended('SIGTERM')).toMatchObject({ code: 0 });
    } finally {
      await process.ended('SIGKILL');
    }
  },
);

it('a worker whose TEST collector is empty says so, and is ready for LIVE', async () => {
  const empty = await newKeyPairBytes();
  const { process, readReadiness } = await start('worker', {
    ...variables('TEST', localnet.rpcUrl, empty),
    ...variables('LIVE', localnet.rpcUrl),
  });
  try {
    await process.printed(
      /"environment":"TEST".*"lamportsNeeded":"895880".*nothing is collected until it has SOL/,
    );
    await vi.waitFor(async () => expect((await readReadiness()).status).toBe(200), SOON);
    expect((await readReadiness('/test')).status).toBe(503);
    const { address } = await createKeyPairSignerFromBytes(empty);
    await airdropLamports(localnet.network, address);
    await vi.waitFor(async () => expect((await readReadiness('/test')).status).toBe(200), SOON);
  } finally {
    await process.ended('SIGKILL');
  }
});

/** Starts a server that answers every request with this status, and never with JSON-RPC. */
async function startRefuser(status: number) {
  const server = createServer((_, response) => response.writeHead(status).end('no')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

it.each([401, 402, 403, 404, 200])(
  'a cluster that answers %i is left out while the other one can be used',
  async (status) => {
    using refuser = await startRefuser(status);
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const cluster = localCluster(localnet, key);
    const refused = { ...cluster, rpcUrl: refuser.url };
    const { chain, away, close } = await reachClusters({ TEST: refused, LIVE: cluster }, log, {
      awayAllowed: true,
    });
    close();
    expect(Object.keys(chain)).toEqual(['LIVE']);
    expect([...away.keys()]).toEqual(['TEST']);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 50,
        environment: 'TEST',
        msg: 'environment unreachable: started without it, retrying',
      }),
    ]);
  },
);

it('a cluster is added without a restart once its key is accepted again', async () => {
  let isRefused = true;
  const proxy = createServer(async (request, response) => {
    if (isRefused) return void response.writeHead(401).end();
    const body = await text(request);
    const answer = await fetch(localnet.rpcUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  const { process } = await start('worker', {
    ...variables('TEST', `http://127.0.0.1:${port}`),
    ...variables('LIVE', localnet.rpcUrl),
  });
  try {
    await process.printed(/"environment":"TEST".*environment unreachable: started without it/);
    isRefused = false;
    await process.printed(/"environment":"TEST".*environment reachable: added/);
  } finally {
    await process.ended('SIGKILL');
    proxy.closeAllConnections();
    proxy.close();
  }
});

it('a cluster that lacks the mint is left out if another can be used', async () => {
  const lacking = {
    ...variables('TEST', localnet.rpcUrl),
    TEST_USDC_MINT: 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44',
  };
  const { process } = await start('worker', { ...variables('LIVE', localnet.rpcUrl), ...lacking });
  await process.printed(/"environment":"TEST".*TEST_USDC_MINT.*environment unreachable: started without it/);
  await process.ended('SIGKILL');
  using refuser = await startRefuser(403);
  for (const other of [{}, variables('LIVE', refuser.url)]) {
    const ended = await runDues(['worker'], {
      ...lacking,
      ...other,
      DATABASE_URL: database.url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/TEST_USDC_MINT|LIVE cluster/);
  }
});

async function startLocalnetAt(rpcPort: number) {
  const localnet = await startLocalnet({ slotMs: 100, rpcPort });
  return { localnet, [Symbol.asyncDispose]: () => localnet.close() };
}
