import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { compressedCopies } from './compressed-copies.ts';
import { PREACT } from './preact.ts';
import { BROWSERS, MAX_CUSTOMER_KILOBYTES } from './targets.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

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
      built: 'portal',
      firstLoads: { 'first load': ['portal.html'] },
      maxKilobytes: MAX_CUSTOMER_KILOBYTES,
    }),
  ],
  build: {
    outDir: path('../dist/web/customer'),
    emptyOutDir: true,
    // Images stay files, so that the policy of the page needs no exception for them.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // The polyfill is an inline script, and the target browsers do not need it.
    modulePreload: { polyfill: false },
    target: BROWSERS,
    rolldownOptions: {
      input: path('customer/portal.html'),
      // This check warns only on slow machines.
      checks: { pluginTimings: false },
    },
    reportCompressedSize: false,
  },
});
