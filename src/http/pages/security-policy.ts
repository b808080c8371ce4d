import { createHash } from 'node:crypto';

/** Code or style that a page may have in itself, as a Content-Security-Policy names it. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** What a page of ours consists of. */
export interface PageParts {
  readonly style: string;
  /** Without one nothing runs. */
  readonly script?: string;
}

/**
 * A page does what we wrote into it and nothing else: no other script or style, whoever wrote it in; nothing is sent
 * elsewhere, and no other site puts the page into a frame. Pictures may come from anywhere by https: the logo is the merchant's.
 */
export function securityPolicy({ style, script }: PageParts): string {
  return [
    "default-src 'none'",
    'img-src https: data:',
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
