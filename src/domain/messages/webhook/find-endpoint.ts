import type { DbTransaction } from '../../../db/db.ts';
import { notFound } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

type Query = Pick<Prisma.WebhookEndpointFindFirstArgs, 'include' | 'select'>;

/**
 * A merchant's endpoint that has not been removed.
 *
 * @throws BillingError not_found, with that param
 */
export async function findEndpoint<Q extends Query>(
  db: Pick<DbTransaction, 'webhookEndpoint'>,
  { merchantId, environment }: Scope,
  id: string,
  param: string,
  query?: Q,
): Promise<Prisma.WebhookEndpointGetPayload<Q>> {
  const where = { id, merchantId, environment, status: { not: 'DELETED' as const } };
  const endpoint = isId(id) ? await db.webhookEndpoint.findFirst({ ...query, where }) : null;
  if (!endpoint) throw notFound('webhook endpoint', param);
  return endpoint as Prisma.WebhookEndpointGetPayload<Q>;
}
