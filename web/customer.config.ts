import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { BROWSERS } from './browsers.ts';
import { compressedCopies } from './compressed-copies.ts';
import { PREACT } from './preact.ts';

/** Maximum size of a page's first load, after gzip. */
const MAX_KILOBYTES = 45;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Each HTML file in `web/customer` is a page. */
const pages = readdirSync(path('customer')).filter((name) => name.endsWith('.html'));

/**
 * Builds the portal into `dist/web/customer`, which the API serves: `npm run web`.
 */
export default defineConfig({
  root: path('customer'),
  base: '/customer/',
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias: PREACT },
  plugins: [
    tailwindcss(),
    compressedCopies({
      built: 'pages for customers',
      firstLoads: Object.fromEntries(pages.map((page) => [page.replace('.html', ''), [page] as const])),
      maxKilobytes: MAX_KILOBYTES,
    }),
  ],
  build: {
    outDir: path('../dist/web/customer'),
    emptyOutDir: true,
    // Images stay files, so that the policy of the page needs no exception for them.
    assetsInlineLimit: 0,
    // All pages share one style sheet.
    cssCodeSplit: false,
    // The polyfill is an inline script, and the target browsers do not need it.
    modulePreload: { polyfill: false },
    target: BROWSERS,
    rolldownOptions: {
      input: pages.map((page) => path(`customer/${page}`)),
      // This check warns only on slow machines.
      checks: { pluginTimings: false },
    },
    reportCompressedSize: false,
  },
});
