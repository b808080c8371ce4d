import type { Db } from '../../../db/db.ts';
import { type BillingError, invalidRequest } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { settingsOf } from './settings.ts';

/** Redirects by name; undefined or null if not given. */
interface Redirects {
  readonly [name: string]: string | null | undefined;
}

/**
 * The error for a redirect that the merchant does not allow; undefined if all are allowed. Without
 * configured URLs every URL is allowed. The error is invalid_request; its param is the name of the
 * URL.
 *
 * @param urls validated
 */
export async function refusedRedirect(
  db: Db,
  scope: Scope,
  urls: Redirects,
): Promise<BillingError | undefined> {
  if (Object.values(urls).every((url) => url == null)) return undefined;
  return notAllowed((await settingsOf(db, scope)).redirectUrlsAllowed, urls);
}

/** The error for a redirect that is not at or below one of the allowed URLs; see `refusedRedirect`. */
export function notAllowed(allowed: readonly string[], urls: Redirects): BillingError | undefined {
  for (const [param, url] of Object.entries(urls)) {
    if (url == null || isAllowedRedirect(url, allowed)) continue;
    return invalidRequest(param, `${param} must begin with one of: ${allowed.join(', ')}.`);
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
