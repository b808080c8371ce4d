import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ApiEnv } from '../http/api-env.ts';
import type { BuiltFile } from './built-files.ts';
import { sendFile } from './send-file.ts';

/** The HTML of a built page, which loads its scripts and styles, with its policy. */
export interface PageShell {
  readonly file: BuiltFile;
  readonly policy: string;
}

/**
 * The shell of a page. A wallet script of the configuration is loaded in its head; the compressed
 * copies of the file are then left out.
 *
 * @param options.frames whether the page shows frames of ours
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
 * Scripts and styles come from files of our own; a wallet's icon is a `data:` URL. A wallet script
 * of the configuration may load its modules from its origin, and ask that.
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
