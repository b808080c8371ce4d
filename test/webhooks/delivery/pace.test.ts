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

it('an endpoint with any rate limit gets its webhooks', async () => {
  const endpointIds: string[] = [];
  for (const maxPerSecond of RATES) {
    const { id } = (await addEndpoint(ctx, merchant, `https://rate-${maxPerSecond}.example/`)).endpoint;
    await ctx.db.webhookEndpoint.update({ where: { id }, data: { maxPerSecond } });
    endpointIds.push(id);
  }
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
  const limits = { endpointIds, free: 512, inFlight: [], busy: new Map(), busyMerchants: new Map() };
  const claimed = await claimDeliveries(ctx, limits);
  expect(claimed.map(({ endpointId }) => endpointId).sort()).toEqual(endpointIds.sort());
});
