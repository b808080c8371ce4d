/** Late outcomes of attempts whose delivery or endpoint has changed meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayEvents } from '../../../src/domain/relay/relay-events.ts';
import { type Claimed, claimDeliveries } from '../../../src/domain/webhook/delivery/claim-deliveries.ts';
import { settleDeliveries } from '../../../src/domain/webhook/delivery/settle-deliveries.ts';
import { resendDelivery } from '../../../src/domain/webhook/resend-delivery.ts';
import { updateEndpoint } from '../../../src/domain/webhook/update-endpoint.ts';
import type { TestContext } from '../../jobs/context.ts';
import { addEndpoint, recordExpired, type Subscribed, startWorld, subscribedMerchant } from '../world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: Subscribed;
let endpointId: string;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await subscribedMerchant(ctx);
  ({ id: endpointId } = (await addEndpoint(ctx, merchant, 'https://old.example/')).endpoint);
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
});
afterEach(() => world.close());

async function claimOne(): Promise<Claimed> {
  const [claimed] = await claimDeliveries(ctx, {
    endpointIds: [endpointId],
    free: 512,
    inFlight: [],
    busy: new Map(),
    busyMerchants: new Map(),
  });
  if (!claimed) throw new Error('nothing was due');
  return claimed;
}

const settle = (claimed: Claimed, statusCode: number) =>
  settleDeliveries(ctx, [
    {
      claimed,
      durationMs: 1,
      result: {
        statusCode,
        error: statusCode === 200 ? null : `answered ${statusCode}`,
        responseBody: '',
        retryAfterMs: null,
        isTimedOut: false,
      },
    },
  ]);
const change = (changes: Parameters<typeof updateEndpoint>[3]) =>
  updateEndpoint(ctx, merchant.scope, endpointId, changes);
const endpoint = () => ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpointId } });

describe('an attempt with a late outcome', () => {
  it('does not affect the URL that its endpoint has moved to', async () => {
    const claimed = await claimOne();
    await change({ url: 'https://new.example/' });
    await settle(claimed, 410);
    expect(await endpoint()).toMatchObject({ status: 'ENABLED', failingSince: null });
    ctx.clock.advance(60_000);
    await settle(await claimOne(), 410);
    expect(await endpoint()).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' });
  });

  it('does not end a delivery that was cancelled and resent meanwhile', async () => {
    const claimed = await claimOne();
    await change({ eventTypes: ['subscription.created'] });
    await change({ eventTypes: [] });
    await resendDelivery(ctx, merchant.scope, claimed.id);
    await settle(claimed, 200);
    expect(await ctx.db.delivery.findMany()).toMatchObject([{ status: 'PENDING', attemptCount: 1 }]);
    await settle(await claimOne(), 200);
    expect(await ctx.db.delivery.findMany()).toMatchObject([{ status: 'SUCCEEDED', attemptCount: 2 }]);
  });
});

it('an endpoint that moves starts with a clean record', async () => {
  await settle(await claimOne(), 429);
  expect(await endpoint()).toMatchObject({ failingSince: expect.any(Date), slowdown: 1 });
  await change({ maxPerSecond: 5 });
  expect(await endpoint()).toMatchObject({ slowdown: 1 });
  await change({ url: 'https://new.example/' });
  expect(await endpoint()).toMatchObject({ failingSince: null, slowdown: 0, pausedUntil: null });
});
