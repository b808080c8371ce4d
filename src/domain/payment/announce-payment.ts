import type { AppContext } from '../../app.ts';
import { nudgeRelay } from '../event/nudge-relay.ts';
import type { BillableSubscription } from './billable.ts';

/** After the books are written: tells who is listening, and wakes the relay of events. */
export async function announcePayment(
  ctx: AppContext,
  { id: subscriptionId, merchantId, environment }: BillableSubscription,
  paymentId: string,
): Promise<void> {
  await ctx.live.publish('payment.recorded', { merchantId, environment, paymentId });
  await ctx.live.publish('subscription.updated', { merchantId, environment, subscriptionId });
  await nudgeRelay(ctx);
}
