// Replaces the previous release by this one under load: `node rolling-release.ts CHECKOUT`.
// CHECKOUT is a checkout of the previous release with its dependencies. Both releases run side by
// side for a while; payments become due before, during and after that. Prints its figures as JSON.
// The exit code is 0 only if no request failed, each customer was charged once per period, and
// every process stopped cleanly within ten seconds.
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateKeyPairSigner } from '@solana/kit';
import { Connection, PublicKey } from '@solana/web3.js';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import { StoryNetwork } from '../../demo/story-network.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../../localnet/token.ts';
import { createApp } from '../../src/app.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { configFromEnv } from '../../src/config.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import { readTransfersTo } from '../../tools/chain-transfers.ts';
import { CustomerApp } from '../../tools/world/customer-app.ts';
import { Merchant } from '../../tools/world/merchant.ts';
import { ComposeWorld, type Runner, type Running, THIS_CHECKOUT } from './compose-world.ts';

const ROLES = ['api', 'indexer', 'worker'] as const;
const HOUR = 3_600;
const PRICE = 2_500_000n;
const CUSTOMERS = 20;
const REQUESTS = 10_000;
/** Each caller may make 1,000 requests a minute. */
const KEYS = 24;
/** The first period, and one in each part of the rollout. */
const PERIODS = 4;
const PAID_WITHIN_MS = 180_000;
const CONCURRENCY = 8;
const REQUESTS_PER_SECOND = 150;

const [previous = ''] = strictUsage(
  new Command('node deploy/drills/rolling-release.ts')
    .description('Replaces the previous release by this one under load.')
    .argument('<checkout>', 'a checkout of the previous release with its dependencies'),
).parse().args;
const older: Runner = { kind: 'checkout', folder: resolve(previous) };
const newer = THIS_CHECKOUT;

await using closing = new AsyncDisposableStack();
const world = await ComposeWorld.start(closing, older);
// The network is not part of a release.
const localnet = await world.start('localnet', { runner: newer });
await world.healthy(localnet);
await world.run('fund', undefined, newer);
const before = await startRoles(older);
const network = new StoryNetwork(world.network);
const app = await createApp(configFromEnv({ ...world.variablesOf('worker'), LOG_LEVEL: 'error' }));
closing.defer(() => app.close());

const wallet = await generateKeyPairSigner();
await network.fund(wallet.address);
const keys = [await createKey()];
const merchant = new Merchant(world.apiUrl, keys[0] ?? '', wallet, app.ctx.chain.TEST as Chain);
closing.defer(() => merchant.close());
await merchant.publishPlan('hourly', 'Hourly', PRICE, HOUR);
const connection = new Connection(network.rpcUrl, {
  commitment: 'confirmed',
  wsEndpoint: network.webSocketUrl,
});
const customers = Array.from({ length: CUSTOMERS }, () => new CustomerApp(world.apiUrl, connection));
for (const [index, customer] of customers.entries()) {
  await network.setTokens(customer.address, 1_000_000_000n);
  await network.fund(customer.address);
  await customer.approve(await merchant.openCheckout('hourly', `customer${index}@example.com`));
  await customer.complete().catch((error: Error) => {
    throw new Error(`${error.message}\n${errorsOf(before)}`);
  });
}
await untilPaid(merchant, 1);
while (keys.length < KEYS) keys.push(await createKey((await generateKeyPairSigner()).address));

/** URLs that the load balancer sends requests to. */
let upstream = [world.apiUrl];
let sent = 0;
const failures: string[] = [];
const answeredBy = new Map<string, number>();
const startedAt = performance.now();
const load = Promise.all(Array.from({ length: CONCURRENCY }, () => requestUntilDone()));

await waitForPayments(REQUESTS * 0.1);
await travel(merchant, 2);
await world.run('migrate', undefined, newer);
const after = await startRoles(newer);
const [newApi] = after;
upstream = [world.apiUrl, newApi.url];
await waitForPayments(REQUESTS * 0.4);
// Both releases collect.
await travel(merchant, 3);
await waitForPayments(REQUESTS * 0.6);
upstream = [newApi.url];
const stopped = await Promise.all(before.map((role) => role.stop()));
const later = new Merchant(newApi.url, keys[0] ?? '', wallet, app.ctx.chain.TEST as Chain);
await travel(later, PERIODS);
await load;
await world.run('worker', ['audit', '--books'], newer);

const receiver = await tokenAccountAddress(wallet.address, USDC_MINT, TOKEN_PROGRAM);
const transfers = await readTransfersTo(network.rpcUrl, receiver);
const mint = new PublicKey(USDC_MINT);
const charged = customers.map(
  (customer) => transfers.filter(({ source }) => source === customer.tokenAccount(mint)).length,
);
const figures = {
  requests: sent,
  failed: failures.length,
  firstFailures: failures.slice(0, 5),
  answeredBy: Object.fromEntries(answeredBy),
  customers: CUSTOMERS,
  chargedTwice: charged.filter((count) => count > PERIODS).length,
  notCharged: charged.filter((count) => count < PERIODS).length,
  stopped: stopped.map(({ code, seconds }) => ({ code, seconds: Number(seconds.toFixed(1)) })),
};
console.log(JSON.stringify(figures));
if (failures.length > 0) console.error(errorsOf([...before, ...after]));
const isRight =
  failures.length === 0 &&
  charged.every((count) => count === PERIODS) &&
  stopped.every(({ code, seconds }) => code === 0 && seconds <= 10);
process.exitCode = isRight ? 0 : 1;

async function startRoles(runner: Runner): Promise<[Running, ...Running[]]> {
  const port = runner === older ? undefined : await freePort();
  const started = await Promise.all(ROLES.map((role) => world.start(role, { port, runner })));
  await Promise.all(started.map((role) => world.healthy(role)));
  return started as [Running, ...Running[]];
}

/** The errors that processes have logged. */
function errorsOf(roles: readonly Running[]): string {
  const lines = roles.flatMap((role) => role.output().split('\n'));
  return lines.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line)).join('\n');
}

async function createKey(address: string = wallet.address): Promise<string> {
  const output = await world.run('api', ['keys', 'create', '--wallet', address]);
  return /sk_test_\S+/.exec(output)?.[0] ?? '';
}

/** Moves the time by one period, and waits until every customer has made `payments` payments. */
async function travel(backend: Merchant, payments: number): Promise<void> {
  await network.travel(HOUR);
  await untilPaid(backend, payments);
}

async function untilPaid(backend: Merchant, payments: number): Promise<void> {
  const deadline = performance.now() + PAID_WITHIN_MS;
  for (;;) {
    const subscriptions = await backend.subscriptions();
    const paid = subscriptions.filter(({ paymentCount }) => paymentCount >= payments);
    if (paid.length === CUSTOMERS) return;
    if (performance.now() > deadline)
      throw new Error(`${paid.length} of ${CUSTOMERS} customers paid ${payments} times`);
    await wait(200);
  }
}

async function waitForPayments(count: number): Promise<void> {
  while (sent < count) await wait(20);
}

/** Sends requests like merchants' backends, one after the other, until `REQUESTS` were sent. */
async function requestUntilDone(): Promise<void> {
  while (sent < REQUESTS) {
    const number = sent++;
    const at = startedAt + (number * 1_000) / REQUESTS_PER_SECOND;
    if (at > performance.now()) await wait(at - performance.now());
    const url = upstream[number % upstream.length] ?? '';
    const key = keys[number % keys.length] ?? '';
    await ask(url, key, number).then(
      () => answeredBy.set(url, (answeredBy.get(url) ?? 0) + 1),
      (error: Error) => failures.push(`${url} ${error.message}`),
    );
  }
}

async function ask(url: string, key: string, number: number): Promise<void> {
  const isOwner = number % keys.length === 0;
  const [path, body] =
    isOwner && number % 5 === 0
      ? ['/checkout/create', { planId: 'hourly', customerEmail: `visitor${number}@example.com` }]
      : [
          '/graphql',
          {
            query:
              '{ subscriptions(limit: 20) { data { id status paymentCount } } merchant { companyName } }',
          },
        ];
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${response.status} ${text.slice(0, 200)}`);
}
