import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nudgeRelay } from '../../../src/domain/event/nudge-relay.ts';
import type { TestContext } from '../../jobs/context.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { WorkerSettings } from '../worker-process.ts';
import { addEndpoint, type Subscribed, startWorld, subscribedMerchant } from '../world.ts';

const KILLS = 50;
const SUBSCRIPTIONS = 500;
const EVENTS_EACH = 20;
const FAILURES = 0.3;
/** As many are being started while one runs: a kill need not wait for the next worker. */
const STANDBY = 2;
/** Claims of a killed worker run out after this. */
const LEASE_MS = 60_000;

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: Subscribed;
let receiver: Receiver;
let aheadMs = 0;
/** Where workers find what earlier ones have compiled. */
let compiled: string;
const workers: ChildProcess[] = [];

interface Post {
  readonly event: string;
  readonly subscription: string;
  readonly sequence: number;
  readonly isAccepted: boolean;
}
const posts: Post[] = [];

beforeAll(async () => {
  compiled = await mkdtemp(join(tmpdir(), 'dues-compiled-'));
  world = await startWorld();
  ctx = world.ctx;
  merchant = await subscribedMerchant(ctx);
  receiver = await startReceiver();
  receiver.answer = (response, { body }) => {
    const { id: event, sequence, data } = JSON.parse(body);
    const isAccepted = Math.random() >= FAILURES;
    posts.push({ event, subscription: data.subscription, sequence, isAccepted });
    response.writeHead(isAccepted ? 200 : 500).end();
  };
  await addEndpoint(ctx, merchant, receiver.url);
});
afterAll(async () => {
  const left = workers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(
    left.map((worker) => {
      const exited = once(worker, 'exit');
      worker.kill('SIGKILL');
      return exited;
    }),
  );
  await receiver.close();
  await world.close();
  await rm(compiled, { recursive: true, force: true });
});

async function startWorker(): Promise<ChildProcess> {
  const settings: WorkerSettings = {
    databaseUrl: ctx.config.databaseUrl,
    secretKey: Buffer.from(ctx.config.secretKey).toString('base64'),
    aheadMs,
  };
  const worker = fork(
    fileURLToPath(new URL('../worker-process.ts', import.meta.url)),
    [JSON.stringify(settings)],
    {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    },
  );
  workers.push(worker);
  await once(worker, 'message');
  worker.send(aheadMs);
  return worker;
}

function advance(milliseconds: number): void {
  aheadMs += milliseconds;
  for (const worker of workers) if (worker.connected) worker.send(aheadMs);
}

/** One more event of every subscription. */
async function recordRound(subscriptionIds: readonly string[], sequence: number): Promise<void> {
  await ctx.db.event.createMany({
    data: subscriptionIds.map((id) => ({
      ...merchant.scope,
      type: 'subscription.payment_succeeded',
      subscriptionId: id,
      sequence,
      data: { subscription: id },
      createdAt: new Date(),
    })),
  });
  await nudgeRelay(ctx);
}

const pending = () => ctx.db.delivery.count({ where: { status: 'PENDING' } });

it(`kills workers ${KILLS} times over ${SUBSCRIPTIONS * EVENTS_EACH} events, 30 % of the tries failing: nothing is lost, no order broken, each try on record`, async () => {
  const subscriptions = await Promise.all(Array.from({ length: SUBSCRIPTIONS }, () => merchant.subscribe()));
  const ids = subscriptions.map(({ id }) => id);
  let kills = 0;
  let sequence = 0;
  let running = await startWorker();
  const standby = Array.from({ length: STANDBY }, startWorker);
  for (;;) {
    if (sequence < EVENTS_EACH) await recordRound(ids, ++sequence);
    await wait(100 * Math.random());
    if (kills < KILLS) {
      const exited = once(running, 'exit');
      running.kill('SIGKILL');
      await exited;
      kills++;
      standby.push(startWorker());
      running = await (standby.shift() as Promise<ChildProcess>);
    }
    // What the dead one had in hand is free again, and what failed is due.
    advance(LEASE_MS);
    if (kills < KILLS || sequence < EVENTS_EACH) continue;
    if ((await pending()) === 0 && (await ctx.db.event.count({ where: { relayedAt: null } })) === 0) break;
    advance(30 * LEASE_MS);
    await wait(50);
  }
  await Promise.all(standby);

  const deliveries = await ctx.db.delivery.findMany({
    include: { attempts: { orderBy: { number: 'asc' } } },
  });
  expect(deliveries).toHaveLength(SUBSCRIPTIONS * EVENTS_EACH);
  // Ten failures in a row give one up: 0.3 to the power of ten of them do, that is none, or a single one.
  const lost = deliveries.filter(({ status }) => status !== 'SUCCEEDED');
  expect(lost.every(({ failureCount }) => failureCount === 10)).toBe(true);
  expect(lost.length).toBeLessThan(3);

  const postsOf = Map.groupBy(posts, ({ event }) => event);
  for (const { eventId, attemptCount, attempts } of deliveries) {
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: attemptCount }, (_, index) => index + 1),
    );
    const received = postsOf.get(eventId)?.length ?? 0;
    const told = attempts.filter(({ statusCode }) => statusCode !== null).length;
    expect(received).toBeLessThanOrEqual(attemptCount);
    expect(told).toBeLessThanOrEqual(received);
    // Whatever has no status says why.
    expect(attempts.every(({ statusCode, error }) => statusCode === 200 || error !== null)).toBe(true);
  }

  const gaveUp = new Set(lost.map(({ eventId }) => eventId));
  for (const ofOne of Map.groupBy(posts, ({ subscription }) => subscription).values()) {
    let accepted = 0;
    for (const { sequence, isAccepted, event } of ofOne) {
      // Nothing comes before all that is earlier was accepted, and what was accepted comes again only if its worker died.
      expect(sequence).toBeLessThanOrEqual(accepted + 1);
      if (isAccepted || gaveUp.has(event)) accepted = Math.max(accepted, sequence);
    }
    expect(accepted).toBe(EVENTS_EACH);
  }
}, 300_000);
