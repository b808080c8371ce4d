import { createHash } from 'node:crypto';
import type { RenderedPage } from './page-data.ts';

/** What the policy of a page has to allow. */
interface AllowedParts extends Pick<RenderedPage, 'style' | 'scriptHash' | 'hasForm'> {
  /** URL of a script of another origin, which may send requests to that origin. */
  readonly walletScript: string | undefined;
}

/**
 * A Content-Security-Policy that allows one inline style and one script by their hashes, and requests
 * of the script to our own origin and to that of the wallet script. Without a script, the page may
 * send no requests. No page may show ours in a frame. Images may come from any https URL, because the
 * merchant sets the logo.
 */
export function securityPolicy({ style, scriptHash, walletScript, hasForm }: AllowedParts): string {
  const walletOrigin = walletScript === undefined ? [] : [new URL(walletScript).origin];
  return [
    "default-src 'none'",
    "img-src 'self' https: data:",
    `style-src '${hashOf(style)}'`,
    ...(scriptHash === undefined
      ? []
      : [
          ['script-src', `'${scriptHash}'`, ...walletOrigin].join(' '),
          ['connect-src', "'self'", ...walletOrigin].join(' '),
        ]),
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The hash of a script or style, as policies and the attribute `integrity` have it. */
export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
