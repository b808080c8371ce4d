import type { DbTransaction } from '../../../db/db.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from './retry-settings.ts';

/** Settings of a merchant in one environment. */
export interface MerchantSettings extends RetrySettings {
  /** URL prefixes allowed for the success and cancel URLs of a checkout; empty allows any URL. */
  readonly redirectUrlsAllowed: readonly string[];
  /** Whether the collector pays fee and deposits for customers without SOL. */
  readonly sponsorsCustomers: boolean;
  /** Maximum lamports paid for them within 24 hours. The operator configures a second maximum. */
  readonly sponsoredLamportsPerDay: bigint;
}

/** Defaults for merchants without settings. */
export const DEFAULT_SETTINGS: MerchantSettings = {
  ...DEFAULT_RETRY_SETTINGS,
  redirectUrlsAllowed: [],
  sponsorsCustomers: false,
  sponsoredLamportsPerDay: 50_000_000n,
};

/** The merchant's settings in this environment, or the defaults. */
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
