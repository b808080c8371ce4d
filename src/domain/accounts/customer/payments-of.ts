import type { AppContext } from '../../../app.ts';
import type { Customer, PaymentStatus, Prisma } from '../../../generated/prisma/client.ts';

/**
 * The filter for the payments of a customer. The subscriptions are looked up first, so that the
 * payments are found by an indexed column.
 */
export async function paymentsOf(
  db: AppContext['db'],
  { id: customerId }: Pick<Customer, 'id'>,
  status: PaymentStatus | null | undefined,
): Promise<Prisma.PaymentWhereInput> {
  const subscriptions = await db.subscription.findMany({ where: { customerId }, select: { id: true } });
  return { subscriptionId: { in: subscriptions.map(({ id }) => id) }, ...(status && { status }) };
}
