import type { AppContext } from '../../src/app.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import type { EventData, EventType } from '../../src/domain/messages/event/types.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { Deliverer } from '../../src/domain/messages/webhook/delivery/deliverer.ts';
import { seedCustomer, seedPlan, seedScope, subscriptionRow } from '../../tools/world/rows.ts';
import { type Receiver, startReceiver } from '../../tools/world/webhook-receiver.ts';
import { type TestContext, testContext } from '../jobs/context.ts';
import { takeDatabase } from '../support/shared-database.ts';

/** Creates a separate database with a test context. */
export async function startWorld() {
  const database = await takeDatabase();
  const ctx = testContext({ databaseUrl: database.url, webhookHostsAllowed: ['127.0.0.1'] }, database);
  return {
    ctx,
    async close() {
      await ctx.close();
      await database.giveBack();
    },
  };
}

/** Creates a merchant with one active subscription. */
export async function createSubscribedMerchant({ db, clock }: TestContext) {
  const now = clock.now();
  const scope = await seedScope(db);
  const plan = await seedPlan(db, scope);
  const customer = await seedCustomer(db, scope);
  const subscribe = () => db.subscription.create({ data: subscriptionRow(plan, customer, now) });
  return { scope, subscribe, subscription: await subscribe() };
}

export type SubscribedMerchant = Awaited<ReturnType<typeof createSubscribedMerchant>>;

/** Records that a subscription expired. This event has the fewest fields. */
export function recordExpired(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  { scope, subscription }: Pick<SubscribedMerchant, 'scope' | 'subscription'>,
  type: EventType = 'subscription.expired',
) {
  const data: EventData['subscription.expired'] = {
    subscriptionId: subscription.address,
    customer: { email: 'a@example.com', customerId: null, walletAddress: 'wallet' },
    failureCount: 3,
    metadata: { campaign: 'autumn' },
  };
  return ctx.db.$transaction((tx) =>
    recordEvent(tx, {
      ...scope,
      type: type as 'subscription.expired',
      subscriptionId: subscription.id,
      data,
      at: ctx.clock.now(),
    }),
  );
}

export function addEndpoint(
  ctx: TestContext,
  { scope }: Pick<SubscribedMerchant, 'scope'>,
  url: string,
  eventTypes?: EventType[],
) {
  return createEndpoint(ctx, { ...scope, url, eventTypes });
}

/** A subscribed merchant, its webhook server and a worker's deliverer, on a separate database. */
export interface DeliveryWorld {
  readonly ctx: TestContext;
  readonly merchant: SubscribedMerchant;
  readonly receiver: Receiver;
  /** May be replaced after it was closed. */
  deliverer: Deliverer;
  close(): Promise<void>;
}

export async function startDeliveryWorld(): Promise<DeliveryWorld> {
  const world = await startWorld();
  const { ctx } = world;
  const merchant = await createSubscribedMerchant(ctx);
  const receiver = await startReceiver();
  const deliveryWorld: DeliveryWorld = {
    ctx,
    merchant,
    receiver,
    deliverer: new Deliverer(ctx, { lingerMs: 0 }),
    async close() {
      await deliveryWorld.deliverer.close();
      await receiver.close();
      await world.close();
    },
  };
  return deliveryWorld;
}
