import { createHash } from 'node:crypto';

/** The hash of inline code or style in a Content-Security-Policy. */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The inline style and script of a page. */
export interface PageParts {
  readonly style: string;
  /** Inline script. Without it the page may run no script. */
  readonly script?: string;
  /**
   * URL of a script of another origin, which may send requests to that origin. Requires `script`.
   */
  readonly walletScript?: string | undefined;
  /** Whether the page has a form, which it sends to our own origin. */
  readonly hasForm?: boolean;
}

/**
 * A Content-Security-Policy that allows our own inline script and style, and requests of the script
 * to our own origin and to that of the wallet script. No page may show ours in a frame. Images may
 * come from any https URL, because the merchant sets the logo.
 */
export function securityPolicy({ style, script, walletScript, hasForm = false }: PageParts): string {
  const walletOrigin = walletScript === undefined ? [] : [new URL(walletScript).origin];
  return [
    "default-src 'none'",
    "img-src 'self' https: data:",
    `style-src ${hashOf(style)}`,
    ...(script === undefined
      ? []
      : [
          ['script-src', hashOf(script), ...walletOrigin].join(' '),
          ['connect-src', "'self'", ...walletOrigin].join(' '),
        ]),
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
