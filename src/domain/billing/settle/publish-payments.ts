import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';

/** A payment whose records changed. */
export interface ChangedPayment {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly subscriptionId: string;
  readonly paymentId: string;
}

/** Publishes changed payments after the commit, and notifies the relay of events once. */
export async function publishPayments(ctx: AppContext, payments: readonly ChangedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await Promise.all(
    payments.flatMap(({ merchantId, environment, subscriptionId, paymentId }) => [
      ctx.live.publish('payment.recorded', { merchantId, environment, paymentId }),
      ctx.live.publish('subscription.updated', { merchantId, environment, subscriptionId }),
    ]),
  );
  await notifyRelay(ctx);
}
