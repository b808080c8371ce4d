import type { DbTransaction } from '../../db.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from '../payment/retry.ts';
import type { Scope } from './scope.ts';

/** What a merchant sets for one environment. */
export interface MerchantSettings extends RetrySettings {
  /** Beginnings of the success and cancel URLs that a checkout may name; none means any URL. */
  readonly redirectUrlsAllowed: readonly string[];
}

/** Of who has set nothing. */
export const DEFAULT_SETTINGS: MerchantSettings = { ...DEFAULT_RETRY_SETTINGS, redirectUrlsAllowed: [] };

/** As the merchant set them in this environment, or the defaults. */
export async function settingsOf(
  db: Pick<DbTransaction, 'merchantSettings'>,
  { merchantId, environment }: Scope,
): Promise<MerchantSettings> {
  const settings = await db.merchantSettings.findUnique({
    where: { merchantId_environment: { merchantId, environment } },
    omit: { merchantId: true, environment: true },
  });
  return settings ?? DEFAULT_SETTINGS;
}
