import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/clock.ts';
import { connectDb } from '../../src/db/db.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { eventCursor } from '../../src/domain/messages/event/event-cursor.ts';
import { notifyRelay } from '../../src/domain/messages/event/notify-relay.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createLog } from '../../src/observability/log.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { seedScope } from '../../tools/world/rows.ts';
import { ask, startRoles, stop } from '../lib/child-process.ts';
import type { RolesMemory } from '../lib/roles.ts';
import { percentile, round } from '../lib/statistics.ts';
import { type LiveSocket, openLiveSocket } from './live-sockets.ts';

const SOCKETS = 5_000;
/** The number of sockets that one merchant may open per minute. */
const PER_MERCHANT = 1_000;
const CONCURRENT_OPENINGS = 50;
const EVENTS = 30;
/** The first events are a warm-up and are not counted. */
const WARM_UPS = 2;
/** Longer than the server's keep-alive interval, so that every socket has been pinged. */
const IDLE_MS = 15_000;

/**
 * The resident memory of a process that holds 5,000 live sockets, and the time from the start of an
 * event's transaction to its arrival at 1,000 of them.
 */
export async function measureLive() {
  await using closing = new AsyncDisposableStack();
  const database = await startDatabase(closing);
  const config = worldConfig(database.url);
  const { process: server, url } = await startRoles({ config, roles: ['api', 'relay'] });
  closing.defer(() => stop(server));
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const log = createLog('error');
  const jobs = createJobs(config, log);
  closing.defer(() => jobs.close());
  const ctx = { config, db, jobs, log, clock: systemClock, wallClock: systemClock };

  const recordEvent = async (scope: Scope) => {
    const since = performance.now();
    await db.event.create({
      data: { ...scope, type: 'subscription.created', data: DATA, createdAt: new Date() },
    });
    await notifyRelay(ctx);
    return since;
  };
  const openSockets = async (): Promise<{ scope: Scope; sockets: LiveSocket[] }> => {
    const scope = await seedScope(db);
    const { apiKey } = await createApiKey(ctx, scope, { name: 'bench' });
    await recordEvent(scope);
    const sockets: LiveSocket[] = [];
    while (sockets.length < PER_MERCHANT) {
      const opened = Array.from({ length: CONCURRENT_OPENINGS }, () =>
        openLiveSocket(`${url.replace('http', 'ws')}/graphql`, apiKey, eventCursor(scope, 0n)),
      );
      sockets.push(...(await Promise.all(opened)));
    }
    return { scope, sockets };
  };

  const before = await residentMegabytes(server);
  const groups: Awaited<ReturnType<typeof openSockets>>[] = [];
  closing.defer(async () => {
    await Promise.all(groups.flatMap(({ sockets }) => sockets.map((socket) => socket.close())));
  });
  while (groups.length * PER_MERCHANT < SOCKETS) {
    groups.push(await openSockets());
    console.log(`${groups.length * PER_MERCHANT} live sockets of ${SOCKETS}`);
  }
  await wait(IDLE_MS);
  const idle = await residentMegabytes(server);
  console.log(`${SOCKETS} sockets: ${round(before)} MB without them, ${round(idle)} MB with them`);

  const [first] = groups;
  if (!first) throw new Error('No sockets');
  const latencies: number[] = [];
  for (let event = 0; event < WARM_UPS + EVENTS; event++) {
    const arrivals = first.sockets.map((socket) => socket.next());
    const since = await recordEvent(first.scope);
    const latenciesOfEvent = (await Promise.all(arrivals)).map((at) => at - since);
    if (event >= WARM_UPS) latencies.push(...latenciesOfEvent);
  }
  return {
    idle_sockets_mb: round(idle),
    live_p99_ms: round(percentile(latencies, 0.99), 1),
  };
}

/** Event data as large as that of a real event. */
const DATA = {
  sessionId: `cs_${'x'.repeat(43)}`,
  subscriptionId: 'x'.repeat(44),
  customer: { email: 'ada@example.com', customerId: 'user-1', walletAddress: 'x'.repeat(44) },
  plan: { planId: 'pro', planName: 'Pro', amount: '5000000', interval: '2592000' },
  metadata: { source: 'newsletter', campaign: 'spring' },
};

async function residentMegabytes(server: ChildProcess): Promise<number> {
  const { residentBytes } = await ask<RolesMemory>(server, 'memory');
  return residentBytes / 1_000_000;
}
