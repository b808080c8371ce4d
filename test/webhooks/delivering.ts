import { DeliveryLoop } from '../../src/domain/webhook/delivery/delivery-loop.ts';
import type { TestContext } from '../jobs/context.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Subscribed, startWorld, subscribedMerchant } from './world.ts';

/** A merchant with a subscription, its server, and a worker's delivery loop between them, on a database of their own. */
export interface Delivering {
  readonly ctx: TestContext;
  readonly merchant: Subscribed;
  readonly receiver: Receiver;
  /** May be put in the place of one that was closed. */
  loop: DeliveryLoop;
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
    loop: new DeliveryLoop(ctx),
    async close() {
      await delivering.loop.close();
      await receiver.close();
      await world.close();
    },
  };
  return delivering;
}
