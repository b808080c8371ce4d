import type { DbTransaction } from '../../db.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../payment/retry.ts';
import type { Scope } from './scope.ts';

/** How the merchant wants failed payments treated in this environment. */
export async function settingsOf(
  db: Pick<DbTransaction, 'merchantSettings'>,
  { merchantId, environment }: Scope,
): Promise<RetrySettings> {
  const settings = await db.merchantSettings.findUnique({
    where: { merchantId_environment: { merchantId, environment } },
  });
  return settings ?? DEFAULT_RETRY_SETTINGS;
}
