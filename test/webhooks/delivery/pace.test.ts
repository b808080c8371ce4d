import { afterEach, beforeEach, expect, it } from 'vitest';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { claimDeliveries } from '../../../src/domain/messages/webhook/delivery/claim-deliveries.ts';
import type { TestContext } from '../../jobs/context.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  recordExpired,
  type SubscribedMerchant,
  startWorld,
} from '../world.ts';

/** Maximum concurrency, slowdown, visits of a worker, and the deliveries that they claim. */
const SHARES: [number, number, number[], number][] = [
  [20, 0, [0], 8],
  [20, 0, [2], 4],
  [20, 0, [3], 0],
  [20, 0, [0, 2], 12],
  [20, 1, [0, 1, 2], 10],
  [20, 1, [1], 2],
  [3, 0, [0, 1], 3],
  [3, 2, [0], 1],
];
const RATES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 30, 333, 999, 1_000];

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: SubscribedMerchant;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await createSubscribedMerchant(ctx);
});
afterEach(() => world.close());

/** Claims deliveries like a worker that has these visits, and none in flight. */
function claim(endpointIds: readonly string[], visits: readonly number[]) {
  return claimDeliveries(ctx, {
    visits: new Map(endpointIds.map((id) => [id, new Set(visits)])),
    free: 512,
    inFlight: [],
    busy: new Map(),
    busyMerchants: new Map(),
  });
}

/** Adds an endpoint, and deliveries to it in 24 lines. */
async function addBusyEndpoint(
  settings: Partial<Record<'maxConcurrency' | 'slowdown' | 'maxPerSecond', number>>,
) {
  const { id } = (await addEndpoint(ctx, merchant, 'https://busy.example/')).endpoint;
  await ctx.db.webhookEndpoint.update({ where: { id }, data: settings });
  for (let line = 0; line < 24; line++) {
    await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
  }
  await relayEvents(ctx);
  return id;
}

it.each(SHARES)(
  'of %i, slowed down %i times, visits %j get %i',
  async (maxConcurrency, slowdown, visits, count) => {
    const id = await addBusyEndpoint({ maxConcurrency, slowdown });
    expect(await claim([id], visits)).toHaveLength(count);
  },
);

it('workers that claim at the same time keep to the rate limit together', async () => {
  const id = await addBusyEndpoint({ maxPerSecond: 50 });
  const claimed = await Promise.all([claim([id], [0]), claim([id], [1]), claim([id], [2])]);
  // 50 a second, a tenth of a second ahead.
  expect(claimed.flat()).toHaveLength(5);
});

it('an endpoint with any rate limit gets its webhooks', async () => {
  const endpointIds: string[] = [];
  for (const maxPerSecond of RATES) {
    const { id } = (await addEndpoint(ctx, merchant, `https://rate-${maxPerSecond}.example/`)).endpoint;
    await ctx.db.webhookEndpoint.update({ where: { id }, data: { maxPerSecond } });
    endpointIds.push(id);
  }
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
  const claimed = await claim(endpointIds, [0]);
  expect(claimed.map(({ endpointId }) => endpointId).sort()).toEqual(endpointIds.sort());
});
