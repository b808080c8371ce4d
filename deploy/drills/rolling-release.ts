// Replaces the previous release by this one under load: `node rolling-release.ts CHECKOUT`.
// CHECKOUT is a checkout of the previous release with its dependencies. Both releases run side by
// side for a while; payments become due before, during and after that. Prints its figures as JSON.
// The exit code is 0 only if no request failed, each customer was charged once per period, and
// every process stopped cleanly within ten seconds.
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateKeyPairSigner } from '@solana/kit';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import type { Merchant } from '../../tools/world/merchant.ts';
import { ComposeWorld, type Runner, type Running, THIS_CHECKOUT } from './compose-world.ts';
import { createKey, HourlyPlan } from './hourly-plan.ts';

const ROLES = ['api', 'indexer', 'worker'] as const;
const REQUESTS = 10_000;
/** Each caller may make 1,000 requests a minute. */
const KEYS = 24;
/** The first period, and one in each part of the rollout. */
const PERIODS = 4;
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
const plan = await HourlyPlan.sell(closing, world);
const keys = [plan.key];
const backend = plan.backendAt(world.apiUrl);
closing.defer(() => backend.close());
while (keys.length < KEYS) keys.push(await createKey(world, (await generateKeyPairSigner()).address));

/** URLs that the load balancer sends requests to. */
let upstream = [world.apiUrl];
let sent = 0;
const failures: string[] = [];
const answeredBy = new Map<string, number>();
const startedAt = performance.now();
const load = Promise.all(Array.from({ length: CONCURRENCY }, () => requestUntilDone()));

await waitForPayments(REQUESTS * 0.1);
await travel(backend, 2);
await world.run('migrate', undefined, newer);
const after = await startRoles(newer);
const [newApi] = after;
upstream = [world.apiUrl, newApi.url];
await waitForPayments(REQUESTS * 0.4);
// Both releases collect.
await travel(backend, 3);
await waitForPayments(REQUESTS * 0.6);
upstream = [newApi.url];
const stopped = await Promise.all(before.map((role) => role.stop()));
const later = plan.backendAt(newApi.url);
closing.defer(() => later.close());
await travel(later, PERIODS);
await load;
await world.run('worker', ['audit', '--books'], newer);

const charged = await plan.readCharges();
const figures = {
  requests: sent,
  failed: failures.length,
  firstFailures: failures.slice(0, 5),
  answeredBy: Object.fromEntries(answeredBy),
  customers: plan.customers.length,
  chargedTwice: charged.filter((count) => count > PERIODS).length,
  notCharged: charged.filter((count) => count < PERIODS).length,
  stopped: stopped.map(({ code, seconds }) => ({ code, seconds: Number(seconds.toFixed(1)) })),
};
console.log(JSON.stringify(figures));
if (failures.length > 0) console.error(world.errors());
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

/** Moves the time by one period, and waits until every customer has made `payments` payments. */
async function travel(backend: Merchant, payments: number): Promise<void> {
  await plan.travel();
  await plan.untilPaid(backend, payments);
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
      ? ['/checkout/create', { planId: plan.id, customerEmail: `visitor${number}@example.com` }]
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
