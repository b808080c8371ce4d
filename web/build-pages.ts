// Builds the pages that the API renders:
//
//   dist/web/customer/assets/page-<hash>.js   their script, one file, whose hash their policy names
//   dist/web/pages/pages.js                   the module that renders them, with their style
//   dist/web/pages/embed.js                   the script for pages of merchants
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import { build, type InlineConfig, type Rolldown } from 'vite';
import type { BuiltPages } from '../src/api/pages/page-data.ts';
import { writeCopies } from './compressed-copies.ts';
import { PREACT } from './preact.ts';
import { BROWSERS, MAX_CUSTOMER_KILOBYTES } from './targets.ts';

/** Maximum size of the script for pages of merchants, after gzip. */
const MAX_EMBED_KILOBYTES = 1;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CUSTOMER = path('../dist/web/customer');
const PAGES = path('../dist/web/pages');

const shared: InlineConfig = {
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias: PREACT },
};

await rm(PAGES, { recursive: true, force: true });
const script = await buildScript('customer/browser.tsx', CUSTOMER, 'assets/page-[hash].js');
const { gzip } = await writeCopies(`${CUSTOMER}/${script.fileName}`);
const embed = await buildScript('customer/embed.ts', PAGES, 'embed.js');
await buildPages({ src: `/customer/${script.fileName}`, integrity: hashOf(script.code) });
const { sheet }: BuiltPages = await import(`${PAGES}/pages.js`);
const style = gzipSync(sheet, { level: 9 }).length;
const sizes = [
  `page with a script ${checked(style + gzip, MAX_CUSTOMER_KILOBYTES)}`,
  `without ${checked(style, MAX_CUSTOMER_KILOBYTES)}`,
  `embed.js ${checked(gzipSync(embed.code, { level: 9 }).length, MAX_EMBED_KILOBYTES)}`,
];
console.info(`dues: rendered pages built, ${sizes.join(', ')}`);

/** Builds a script that is one file. */
async function buildScript(entry: string, outDir: string, name: string): Promise<Rolldown.OutputChunk> {
  const built = (await build({
    ...shared,
    build: {
      outDir,
      emptyOutDir: false,
      modulePreload: { polyfill: false },
      target: BROWSERS,
      rolldownOptions: { input: path(entry), output: { entryFileNames: name } },
      reportCompressedSize: false,
    },
  })) as Rolldown.RolldownOutput;
  const [chunk, ...others] = built.output;
  if (others.length > 0) throw new Error(`${entry} has more than one file: ${others[0]?.fileName}`);
  return chunk;
}

/** Builds the module that renders the pages on the server, with all that it imports. */
async function buildPages(pageScript: { readonly src: string; readonly integrity: string }): Promise<void> {
  await build({
    ...shared,
    plugins: [tailwindcss()],
    define: { PAGE_SCRIPT: JSON.stringify(pageScript) },
    ssr: { noExternal: true },
    build: {
      ssr: path('customer/pages.tsx'),
      outDir: PAGES,
      emptyOutDir: false,
      target: 'node20',
      cssMinify: true,
      cssTarget: BROWSERS,
      rolldownOptions: { output: { entryFileNames: 'pages.js' } },
    },
  });
}

function hashOf(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`;
}

/** The size in words. @throws Error if it is above the limit */
function checked(bytes: number, maxKilobytes: number): string {
  const kilobytes = bytes / 1_000;
  if (kilobytes > maxKilobytes) {
    throw new Error(`A page loads ${kilobytes.toFixed(1)} kB gz; the limit is ${maxKilobytes} kB.`);
  }
  return `${kilobytes.toFixed(1)} kB gz`;
}
