import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The modules of the scripts, each after its imports. */
const OPEN = [
  '../../domain/money/decimal-amount.ts',
  '../../domain/money/duration-text.ts',
  '../checkout-browser/base58.ts',
  '../checkout-browser/wallets.ts',
  '../checkout-browser/checkout-api.ts',
  '../checkout-browser/page.ts',
  '../checkout-browser/kept-approval.ts',
  '../checkout-browser/follow.ts',
  '../checkout-browser/main.ts',
];
const SETTLE = [
  '../checkout-browser/checkout-api.ts',
  '../checkout-browser/page.ts',
  '../checkout-browser/kept-approval.ts',
  '../checkout-browser/settle.ts',
];

/**
 * The script of an open checkout as one inline module, so that the policy can name its hash and no
 * second request is needed. Its data is in the page.
 */
export const CHECKOUT_SCRIPT = OPEN.map(partOf).join('\n');

/** The same for a checkout whose time is over and which may still be completed. */
export const SETTLE_SCRIPT = SETTLE.map(partOf).join('\n');

function partOf(path: string): string {
  const source = readFileSync(new URL(path, import.meta.url), 'utf8');
  // Imports are already included above, and nothing imports the exports.
  return stripTypeScriptTypes(source.replace(/^import [^;]+;\n/gm, '').replace(/^export /gm, ''))
    .replace(/^[ \t]*\n/gm, '')
    .trim();
}
