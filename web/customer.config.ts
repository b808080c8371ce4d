import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { compressedCopies } from './compressed-copies.ts';

/** Maximum size of a page's first load, after gzip. */
const MAX_KILOBYTES = 45;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Each HTML file in `web/customer` is a page. */
const pages = readdirSync(path('customer')).filter((name) => name.endsWith('.html'));

/**
 * Builds the pages for customers into `dist/web/customer`, which the API serves: `npm run web`.
 * They are written for React and run on Preact, which is a tenth of its size.
 */
export default defineConfig({
  root: path('customer'),
  base: '/customer/',
  publicDir: false,
  logLevel: 'warn',
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
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
    // The first versions that support the styles, above all `light-dark()`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      input: pages.map((page) => path(`customer/${page}`)),
      // This check warns only on slow machines.
      checks: { pluginTimings: false },
    },
    reportCompressedSize: false,
  },
});
