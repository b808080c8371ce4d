import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { notifyRelay } from '../../../src/domain/messages/event/notify-relay.ts';
import { enqueueDueDeliveries } from '../../../src/domain/messages/webhook/delivery/enqueue-due-deliveries.ts';
import { startReceiver } from '../../../tools/world/webhook-receiver.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import type { WorkerSettings } from '../../webhooks/worker-process.ts';
import { addEndpoint, createSubscribedMerchant, startWorld } from '../../webhooks/world.ts';

/** `.ci/nightly` sets a larger number. */
const KILLS = Number(process.env.KILLS ?? 20);
const SUBSCRIPTIONS = 500;
const EVENTS_EACH = KILLS / 2;
const FAILURE_SHARE = 0.3;
/** Workers started in advance, so that a kill need not wait for the next one. */
const STANDBY = 2;
/** The time after which the claims of a killed worker expire. */
const LEASE_MS = 60_000;

let aheadMs = 0;
const workers: ChildProcess[] = [];

interface Post {
  readonly event: string;
  readonly subscription: string;
  readonly sequence: number;
  readonly isAccepted: boolean;
}
const posts: Post[] = [];

const world = await sharedByFile(startWorld());
const ctx = world.ctx;
const merchant = await createSubscribedMerchant(ctx);
const receiver = await sharedByFile(startReceiver());
receiver.answer = (response, { body }) => {
  const { id: event, sequence, data } = JSON.parse(body);
  const isAccepted = Math.random() >= FAILURE_SHARE;
  posts.push({ event, subscription: data.subscription, sequence, isAccepted });
  response.writeHead(isAccepted ? 200 : 500).end();
};
await addEndpoint(ctx, merchant, receiver.url);
afterAll(async () => {
  const runningWorkers = workers.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  );
  await Promise.all(
    runningWorkers.map((worker) => {
      const exited = once(worker, 'exit');
      worker.kill('SIGKILL');
      return exited;
    }),
  );
});

async function startWorker(): Promise<ChildProcess> {
  const settings: WorkerSettings = {
    databaseUrl: ctx.config.databaseUrl,
    secretKey: Buffer.from(ctx.config.secretKey).toString('base64'),
    aheadMs,
  };
  const script = fileURLToPath(new URL('../../webhooks/worker-process.ts', import.meta.url));
  const worker = fork(script, [JSON.stringify(settings)]);
  workers.push(worker);
  await once(worker, 'message');
  worker.send(aheadMs);
  return worker;
}

/** Advances the clock of the workers and enqueues the deliveries that are due, as the scheduler does. */
async function advance(milliseconds: number): Promise<void> {
  aheadMs += milliseconds;
  for (const worker of workers) if (worker.connected) worker.send(aheadMs);
  await enqueueDueDeliveries({ ...ctx, clock: { now: () => new Date(Date.now() + aheadMs) } });
}

/**
 * Releases all jobs, of dead and of running workers, as expired locks do. Two workers may then
 * visit one endpoint at the same time, which must do no harm.
 */
const releaseJobs = () =>
  ctx.db.$executeRaw`
    UPDATE bullmq.job SET state = 'waiting', lock_token = NULL, locked_until_ms = NULL WHERE state = 'active'`;

/** Records one more event of every subscription. */
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
  await notifyRelay(ctx);
}

const countPending = () => ctx.db.delivery.count({ where: { status: 'PENDING' } });

it(`${KILLS} killed workers lose none of ${SUBSCRIPTIONS * EVENTS_EACH} events`, async () => {
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
      await releaseJobs();
      kills++;
      standby.push(startWorker());
      running = await (standby.shift() as Promise<ChildProcess>);
    }
    // The claims of the dead worker have expired, and failed deliveries are due.
    await advance(LEASE_MS);
    if (kills < KILLS || sequence < EVENTS_EACH) continue;
    if ((await countPending()) === 0 && (await ctx.db.outbox.count()) === 0) break;
    await advance(30 * LEASE_MS);
    await wait(50);
  }
  await Promise.all(standby);

  const deliveries = await ctx.db.delivery.findMany({
    include: { attempts: { orderBy: { number: 'asc' } } },
  });
  expect(deliveries).toHaveLength(SUBSCRIPTIONS * EVENTS_EACH);
  // A delivery is given up after ten failures in a row. The probability is 0.3 to the power of ten,
  // so this happens to none or one.
  const givenUp = deliveries.filter(({ status }) => status !== 'SUCCEEDED');
  expect(givenUp.every(({ failureCount }) => failureCount === 10)).toBe(true);
  expect(givenUp.length).toBeLessThan(3);

  const postsByEvent = Map.groupBy(posts, ({ event }) => event);
  for (const { eventId, attemptCount, attempts } of deliveries) {
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: attemptCount }, (_, index) => index + 1),
    );
    const received = postsByEvent.get(eventId)?.length ?? 0;
    const answered = attempts.filter(({ statusCode }) => statusCode !== null).length;
    expect(received).toBeLessThanOrEqual(attemptCount);
    expect(answered).toBeLessThanOrEqual(received);
    // Every attempt without a status has an error.
    expect(attempts.every(({ statusCode, error }) => statusCode === 200 || error !== null)).toBe(true);
  }

  const givenUpEvents = new Set(givenUp.map(({ eventId }) => eventId));
  for (const postsOfSubscription of Map.groupBy(posts, ({ subscription }) => subscription).values()) {
    let accepted = 0;
    for (const { sequence, isAccepted, event } of postsOfSubscription) {
      // A delivery is sent only after all earlier ones were accepted. An accepted delivery is
      // repeated only if its worker died.
      expect(sequence).toBeLessThanOrEqual(accepted + 1);
      if (isAccepted || givenUpEvents.has(event)) accepted = Math.max(accepted, sequence);
    }
    expect(accepted).toBe(EVENTS_EACH);
  }
});
