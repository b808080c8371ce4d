import { type Db, type PreparedStatement, runPrepared } from '../../../db/db.ts';
import { type BillingError, invalidRequest } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

const FIND_ALLOWED: PreparedStatement = {
  name: 'merchant.find-redirects',
  text: `
    SELECT "redirectUrlsAllowed" FROM "MerchantSettings"
    WHERE "merchantId" = $1::uuid AND "environment" = $2::"Environment"`,
};

/**
 * The error for a redirect that the merchant does not allow; undefined if all are allowed. Without
 * configured URLs every URL is allowed. The error is invalid_request; its param is the name of the
 * URL.
 *
 * @param urls validated URLs by name; undefined or null if not given
 */
export async function refusedRedirect(
  db: Db,
  scope: Scope,
  urls: { readonly [name: string]: string | null | undefined },
): Promise<BillingError | undefined> {
  const present = Object.entries(urls).filter((entry): entry is [string, string] => entry[1] != null);
  if (present.length === 0) return undefined;
  const { merchantId, environment } = scope;
  const [settings] = await runPrepared<{ redirectUrlsAllowed: string[] }>(db, FIND_ALLOWED, [
    merchantId,
    environment,
  ]);
  const { redirectUrlsAllowed } = settings ?? DEFAULT_SETTINGS;
  for (const [param, url] of present) {
    if (isAllowedRedirect(url, redirectUrlsAllowed)) continue;
    return invalidRequest(param, `${param} must begin with one of: ${redirectUrlsAllowed.join(', ')}.`);
  }
  return undefined;
}

/**
 * Whether a URL is at or below one of the allowed URLs. Both are parsed as in a browser, so that no
 * spelling of dots, slashes or user names leads elsewhere. A path prefix ends at a slash: `/shop`
 * does not allow `/shopping`.
 */
export function isAllowedRedirect(url: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const { origin, pathname, username, password } = new URL(url);
  if (username || password) return false;
  return allowed.some((text) => {
    const prefix = new URL(text);
    const folder = prefix.pathname.endsWith('/') ? prefix.pathname : `${prefix.pathname}/`;
    return origin === prefix.origin && (pathname === prefix.pathname || pathname.startsWith(folder));
  });
}
