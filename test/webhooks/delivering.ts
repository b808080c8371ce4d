import { Deliverer } from '../../src/domain/webhook/delivery/deliverer.ts';
import { type Receiver, startReceiver } from '../../tools/webhook-receiver.ts';
import type { TestContext } from '../jobs/context.ts';
import { type Subscribed, startWorld, subscribedMerchant } from './world.ts';

/** A merchant with a subscription, its server, and a worker's deliverer, on a separate database. */
export interface Delivering {
  readonly ctx: TestContext;
  readonly merchant: Subscribed;
  readonly receiver: Receiver;
  /** Replaces one that was closed. */
  deliverer: Deliverer;
  close(): Promise<void>;
}

export async function startDelivering(): Promise<Delivering> {
  const world = await startWorld();
  const { ctx } = world;
  const merchant = await subscribedMerchant(ctx);
  const receiver = await startReceiver();
  const delivering: Delivering = {
    ctx,
    merchant,
    receiver,
    deliverer: new Deliverer(ctx, { lingerMs: 0 }),
    async close() {
      await delivering.deliverer.close();
      await receiver.close();
      await world.close();
    },
  };
  return delivering;
}
