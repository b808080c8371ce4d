import { Deliverer } from '../../src/domain/webhook/delivery/deliverer.ts';
import { type Receiver, startReceiver } from '../../tools/world/webhook-receiver.ts';
import type { TestContext } from '../jobs/context.ts';
import { createSubscribedMerchant, type SubscribedMerchant, startWorld } from './world.ts';

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
