import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ApiEnv } from '../http/api-env.ts';
import type { BuiltFile } from './built-files.ts';
import { sendFile } from './send-file.ts';

/** The HTML of a built page, which loads its scripts and styles, and its security policy. */
export interface PageShell {
  readonly file: BuiltFile;
  readonly policy: string;
}

/**
 * Creates the shell of a page. If the configuration has a wallet script, the head loads it; the
 * compressed copies of the file are then left out.
 *
 * @param options.frames whether the page shows our own pages in frames
 */
export function pageShell(
  file: BuiltFile,
  walletScript: string | undefined,
  { frames = false }: { readonly frames?: boolean } = {},
): PageShell {
  const policy = policyWith(walletScript, frames);
  if (walletScript === undefined) return { file, policy };
  const text = new TextDecoder().decode(file.content);
  const tag = html`<script type="module" src="${walletScript}"></script>`;
  const content = new TextEncoder().encode(text.replace('</head>', () => `${tag}</head>`));
  return { file: { type: file.type, content, br: undefined, gzip: undefined }, policy };
}

export function sendShell(c: Context<ApiEnv>, { file, policy }: PageShell) {
  c.header('Content-Security-Policy', policy);
  return sendFile(c, file, 'never');
}

/**
 * Scripts and styles come from our own files. The icon of a wallet is a `data:` URL. A wallet
 * script of the configuration may load modules from its origin and send requests to it.
 */
function policyWith(walletScript: string | undefined, frames: boolean): string {
  const walletOrigin = walletScript === undefined ? '' : ` ${new URL(walletScript).origin}`;
  return [
    "default-src 'none'",
    `script-src 'self'${walletOrigin}`,
    "style-src 'self'",
    "img-src 'self' https: data:",
    `connect-src 'self'${walletOrigin}`,
    "font-src 'self'",
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
