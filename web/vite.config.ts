import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedCopies } from './compressed-copies.ts';
import { BROWSERS } from './targets.ts';

/** Builds the dashboard into `dist/web/dashboard`, which the API serves: `npm run web`. */
export default defineConfig({
  root: new URL('dashboard', import.meta.url).pathname,
  base: '/dashboard/',
  logLevel: 'warn',
  plugins: [
    react(),
    tailwindcss(),
    compressedCopies({
      built: 'dashboard',
      firstLoads: { 'first route': ['index.html', 'pages/overview/page.tsx'] },
      maxKilobytes: 150,
      maxFontKilobytes: 14,
    }),
  ],
  build: {
    outDir: new URL('../dist/web/dashboard', import.meta.url).pathname,
    emptyOutDir: true,
    // Fonts and images stay files, so that the policy of the page needs no exception for them.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, and the target browsers do not need it.
    modulePreload: { polyfill: false },
    target: BROWSERS,
    rolldownOptions: {
      // This check warns only on slow machines.
      checks: { pluginTimings: false },
      output: {
        // Libraries change less often than pages, so a new release leaves this file in the caches.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack|use-sync-external-store)\//,
            },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
  server: { proxy: { '/graphql': { target: 'http://127.0.0.1:3000', ws: true } } },
});
