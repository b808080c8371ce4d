import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { nudgeRelay } from '../event/nudge-relay.ts';

/** A payment that something was booked on. */
export interface ToldPayment {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly subscriptionId: string;
  readonly paymentId: string;
}

/** After the books are written: tells who is listening, and wakes the relay of events once. */
export async function announcePayments(ctx: AppContext, payments: readonly ToldPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await Promise.all(
    payments.flatMap(({ merchantId, environment, subscriptionId, paymentId }) => [
      ctx.live.publish('payment.recorded', { merchantId, environment, paymentId }),
      ctx.live.publish('subscription.updated', { merchantId, environment, subscriptionId }),
    ]),
  );
  await nudgeRelay(ctx);
}
