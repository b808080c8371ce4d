import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import type { ApiKey } from '../../generated/prisma/client.ts';
import type { Scope } from './scope.ts';
import { isId } from './valid-text.ts';

/**
 * The key opens nothing from now on. Revoking it again changes nothing.
 *
 * @throws BillingError not_found, param `id`
 */
export async function revokeApiKey(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { merchantId, environment }: Scope,
  { id }: { readonly id: string },
): Promise<ApiKey> {
  if (!isId(id)) throw notFound('API key', 'id');
  await db.apiKey.updateMany({
    where: { id, merchantId, environment, revokedAt: null },
    data: { revokedAt: clock.now() },
  });
  const key = await db.apiKey.findFirst({ where: { id, merchantId, environment } });
  if (!key) throw notFound('API key', 'id');
  return key;
}
