// Builds the scripts of the pages that the API renders. They are written to `dist/web/scripts`.
// Each is one file, because its page contains it inline; `embed.js` is for pages of merchants.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const SCRIPTS = {
  checkout: '../src/api/checkout-browser/main.ts',
  settle: '../src/api/checkout-browser/settle.ts',
  completed: '../src/api/checkout-browser/completed.ts',
  embed: '../src/api/checkout-browser/embed.ts',
};
/** Maximum size of a script before compression. */
const MAX_BYTES = 24_000;

await rm(path('../dist/web/scripts'), { recursive: true, force: true });
const sizes = [];
for (const [name, entry] of Object.entries(SCRIPTS)) {
  const built = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: path('../dist/web/scripts'),
      emptyOutDir: false,
      modulePreload: { polyfill: false },
      target: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: { input: path(entry), output: { entryFileNames: `${name}.js` } },
      reportCompressedSize: false,
    },
  })) as Rolldown.RolldownOutput;
  sizes.push(`${name} ${(checkSize(name, built) / 1_000).toFixed(1)} kB`);
}
console.info(`dues: scripts of pages built, ${sizes.join(', ')}`);

/** @returns the size in bytes */
function checkSize(name: string, { output: [script, ...others] }: Rolldown.RolldownOutput): number {
  if (others.length > 0) throw new Error(`${name} has more than one file: ${others[0]?.fileName}`);
  const bytes = Buffer.byteLength(script.code);
  if (bytes > MAX_BYTES) throw new Error(`${name} has ${bytes} bytes; the limit is ${MAX_BYTES}`);
  // This text would end the script element of the page.
  if (/<\/script|<!--/i.test(script.code)) throw new Error(`${name} contains the end of a script element`);
  return bytes;
}
