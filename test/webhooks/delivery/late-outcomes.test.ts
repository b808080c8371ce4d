/** Late outcomes of attempts whose delivery or endpoint has changed in the meantime. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
} from '../../../src/domain/messages/webhook/delivery/claim-deliveries.ts';
import { settleDeliveries } from '../../../src/domain/messages/webhook/delivery/settle-deliveries.ts';
import { resendDelivery } from '../../../src/domain/messages/webhook/resend-delivery.ts';
import { updateEndpoint } from '../../../src/domain/messages/webhook/update-endpoint.ts';
import type { TestContext } from '../../jobs/context.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  recordExpired,
  type SubscribedMerchant,
  startWorld,
} from '../world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: SubscribedMerchant;
let endpointId: string;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await createSubscribedMerchant(ctx);
  ({ id: endpointId } = (await addEndpoint(ctx, merchant, 'https://old.example/')).endpoint);
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
});
afterEach(() => world.close());

async function claimOne(): Promise<ClaimedDelivery> {
  const [claimed] = await claimDeliveries(ctx, {
    visits: new Map([[endpointId, new Set([0])]]),
    free: 512,
    inFlight: [],
    busy: new Map(),
    busyMerchants: new Map(),
  });
  if (!claimed) throw new Error('No delivery is due');
  return claimed;
}

const settle = (claimed: ClaimedDelivery, statusCode: number) =>
  settleDeliveries(ctx, [
    {
      claimed,
      durationMs: 1,
      signatures: null,
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
const readEndpoint = () => ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpointId } });

describe('an attempt with a late outcome', () => {
  it('does not affect an endpoint that has a new URL', async () => {
    const claimed = await claimOne();
    await change({ url: 'https://new.example/' });
    await settle(claimed, 410);
    expect(await readEndpoint()).toMatchObject({ status: 'ENABLED', failingSince: null });
    ctx.clock.advance(60_000);
    await settle(await claimOne(), 410);
    expect(await readEndpoint()).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' });
  });

  it('does not end a delivery that was cancelled and resent in the meantime', async () => {
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

it('an endpoint that gets a new URL starts without failures', async () => {
  await settle(await claimOne(), 429);
  expect(await readEndpoint()).toMatchObject({ failingSince: expect.any(Date), slowdown: 1 });
  await change({ maxPerSecond: 5 });
  expect(await readEndpoint()).toMatchObject({ slowdown: 1 });
  await change({ url: 'https://new.example/' });
  expect(await readEndpoint()).toMatchObject({ failingSince: null, slowdown: 0, pausedUntil: null });
});
