import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { validGrace } from '../../catalog/plan/grace.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validUrl } from '../../kernel/input/valid-text.ts';
import { type MerchantSettings, settingsOf } from './settings.ts';

const MAX_FAILURES = 20;
const MAX_DELAYS = 20;
const MAX_DELAY_SECONDS = 30 * 24 * 3_600;
const MAX_URLS = 50;
/** 10 SOL. */
const MAX_SPONSORED = 10_000_000_000n;

/** Omitted settings stay unchanged. */
export type SettingsChanges = { readonly [K in keyof MerchantSettings]?: MerchantSettings[K] | undefined };

/**
 * Changes settings of one environment. They apply to later failures and checkouts; a scheduled
 * retry keeps its time, and an open checkout its URLs.
 *
 * @throws BillingError invalid_request, param `maxFailures`, `retryDelaysSeconds`,
 *   `redirectUrlsAllowed`, `sponsoredLamportsPerDay` or `graceSeconds`
 */
export async function updateSettings(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  changed: SettingsChanges,
): Promise<MerchantSettings> {
  const { maxFailures, retryDelaysSeconds, redirectUrlsAllowed } = changed;
  const { sponsorsCustomers, sponsoredLamportsPerDay, graceSeconds } = changed;
  const validated = {
    ...(maxFailures !== undefined && { maxFailures: validFailures(maxFailures) }),
    ...(retryDelaysSeconds && { retryDelaysSeconds: validDelays(retryDelaysSeconds) }),
    ...(redirectUrlsAllowed && { redirectUrlsAllowed: validPrefixes(redirectUrlsAllowed) }),
    ...(graceSeconds !== undefined && { graceSeconds: validGrace(graceSeconds) }),
    ...(sponsorsCustomers !== undefined && { sponsorsCustomers }),
    ...(sponsoredLamportsPerDay !== undefined && {
      sponsoredLamportsPerDay: validBudget(sponsoredLamportsPerDay),
    }),
  };
  const { merchantId, environment } = scope;
  const key = { merchantId, environment };
  return ctx.db.$transaction(async (tx) => {
    const changes = changedFields({ ...(await settingsOf(tx, key)) }, validated);
    await tx.merchantSettings.upsert({
      where: { merchantId_environment: key },
      create: { ...key, ...validated },
      update: validated,
    });
    if (Object.keys(changes).length > 0) {
      await recordAudit(ctx, tx, scope, { action: 'settings.updated', targetId: merchantId, changes });
    }
    return settingsOf(tx, key);
  });
}

function validFailures(count: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= MAX_FAILURES) return count;
  throw invalidRequest('maxFailures', `maxFailures must be a whole number from 1 to ${MAX_FAILURES}.`);
}

function validBudget(lamports: bigint): bigint {
  if (lamports >= 0n && lamports <= MAX_SPONSORED) return lamports;
  throw invalidRequest(
    'sponsoredLamportsPerDay',
    `sponsoredLamportsPerDay must be lamports from 0 to ${MAX_SPONSORED}.`,
  );
}

function validDelays(delays: readonly number[]): number[] {
  const fits = (delay: number) => Number.isInteger(delay) && delay >= 1 && delay <= MAX_DELAY_SECONDS;
  if (delays.length >= 1 && delays.length <= MAX_DELAYS && delays.every(fits)) return [...delays];
  throw invalidRequest(
    'retryDelaysSeconds',
    `retryDelaysSeconds must be 1 to ${MAX_DELAYS} whole numbers from 1 to ${MAX_DELAY_SECONDS}.`,
  );
}

/** Normalised for the comparison in `allowed-redirect.ts`: origin and path only. */
function validPrefixes(urls: readonly string[]): string[] {
  const param = 'redirectUrlsAllowed';
  if (urls.length > MAX_URLS) throw invalidRequest(param, `${param} must be at most ${MAX_URLS} URLs.`);
  return urls.map((text) => {
    const { origin, pathname, search, hash, username, password } = new URL(validUrl(param, text));
    if (search || hash || username || password) {
      throw invalidRequest(param, `${param} must be origins or path prefixes, without query or user.`);
    }
    return `${origin}${pathname}`;
  });
}
