import type { AppContext } from '../../../app.ts';
import type { Refund } from '../../../generated/prisma/client.ts';

/** Publishes the payment of a refund that was created or has changed. */
export function publishRefund(
  { live }: Pick<AppContext, 'live'>,
  { merchantId, environment, paymentId }: Pick<Refund, 'merchantId' | 'environment' | 'paymentId'>,
): Promise<void> {
  return live.publish('payment.recorded', { merchantId, environment, paymentId });
}
