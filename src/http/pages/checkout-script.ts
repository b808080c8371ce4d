import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The parts of the page's script, each after those that it imports. */
const PARTS = [
  '../../decimal-amount.ts',
  '../checkout-browser/base58.ts',
  '../checkout-browser/wallets.ts',
  '../checkout-browser/checkout-api.ts',
  '../checkout-browser/page.ts',
  '../checkout-browser/kept-approval.ts',
  '../checkout-browser/follow.ts',
  '../checkout-browser/main.ts',
];

/**
 * What runs in the checkout page, as one module: it is part of the page, so that its policy can name it by its hash and no
 * other request is made for it. All that it needs to know stands in the page as data.
 */
export const CHECKOUT_SCRIPT = PARTS.map(partOf).join('\n');

function partOf(path: string): string {
  const source = readFileSync(new URL(path, import.meta.url), 'utf8');
  // Imports are what stands above; there is nobody to export to.
  return stripTypeScriptTypes(source.replace(/^import [^;]+;\n/gm, '').replace(/^export /gm, ''))
    .replace(/^[ \t]*\n/gm, '')
    .trim();
}
