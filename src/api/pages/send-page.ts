import { existsSync } from 'node:fs';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiEnv } from '../http/api-env.ts';
import { brandStyle } from './brand-style.ts';
import type { BuiltPages, PageData, PageName } from './page-data.ts';
import { securityPolicy } from './security-policy.ts';

/** The response for a page that is not built. */
export const CUSTOMER_PAGES_NOT_BUILT = 'The pages for customers are not built here. Run: npm run web\n';

const BUILT = new URL('../../../dist/web/pages/pages.js', import.meta.url);
const built: BuiltPages | undefined = existsSync(BUILT) ? await import(BUILT.href) : undefined;

interface SendOptions {
  readonly status?: ContentfulStatusCode;
  /** The merchant's colour, as `#rrggbb`; null for ours. */
  readonly brandColor?: string | null;
  /** URL of a script that a page with a script loads too. */
  readonly walletScript?: string | undefined;
}

/**
 * Answers with a page of `web/customer`, which the server renders. Its policy names the hashes of its
 * style and its script, and allows nothing else.
 */
export function sendPage<Name extends PageName>(
  c: Context<ApiEnv>,
  name: Name,
  data: PageData[Name],
  { status = 200, brandColor = null, walletScript }: SendOptions = {},
): Response | Promise<Response> {
  if (!built) return c.text(CUSTOMER_PAGES_NOT_BUILT, 404);
  const page = built.render(name, data, { extraStyle: brandStyle(brandColor), walletScript });
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', securityPolicy({ ...page, walletScript }));
  return c.html(page.html, status);
}
