import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Smaller files are sent as they are. */
const MIN_COMPRESSED_BYTES = 1_024;
const TEXT = /\.(js|css|html|svg|json|txt)$/;

interface Options {
  /** The name of the built pages, for the summary line. */
  readonly built: string;
  /**
   * First loads by name: an HTML file, then the path endings of modules that are loaded with it.
   */
  readonly firstLoads: Readonly<Record<string, readonly [html: string, ...modules: string[]]>>;
  /**
   * Maximum size of a first load after gzip, in kB, without fonts: a page starts without them. A
   * larger one fails the build.
   */
  readonly maxKilobytes: number;
  /** Maximum size of the fonts that a page preloads, in kB; by default none may be. */
  readonly maxFontKilobytes?: number;
}

/**
 * Writes a gzip and a brotli copy of every text file beside it, and prints the sizes of the first
 * loads in one line.
 */
export function compressedCopies(options: Options): Plugin {
  const { built, firstLoads, maxKilobytes, maxFontKilobytes = 0 } = options;
  return {
    name: 'dues:compressed-copies',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('The build has no folder.');
      const gzipped = new Map<string, number>();
      for (const name of await readdir(dir, { recursive: true })) {
        if (!TEXT.test(name)) continue;
        gzipped.set(name, (await writeCopies(join(dir, name))).gzip);
      }
      const sum = (names: Iterable<string>) =>
        Array.from(names).reduce((total, name) => total + (gzipped.get(name) ?? 0), 0);
      const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
      const describe = async ([name, [html, ...modules]]: [string, readonly [string, ...string[]]]) => {
        const bytes = sum(filesOf(bundle, html, modules));
        if (bytes > maxKilobytes * 1_000) {
          this.error(
            `${name} loads ${kilobytes(bytes)} gz first; the limit is ${maxKilobytes} kB. Load the rest with import().`,
          );
        }
        const fontBytes = await sizeOfFonts(dir, html);
        if (fontBytes > maxFontKilobytes * 1_000) {
          this.error(
            `${name} preloads ${kilobytes(fontBytes)} of fonts; the limit is ${maxFontKilobytes} kB.`,
          );
        }
        return `${name} ${kilobytes(bytes)} gz${fontBytes > 0 ? ` and ${kilobytes(fontBytes)} of fonts` : ''}`;
      };
      const sizes = await Promise.all(Object.entries(firstLoads).map(describe));
      console.info(`dues: ${built} built, ${sizes.join(', ')}, all ${kilobytes(sum(gzipped.keys()))} gz`);
    },
  };
}

/**
 * Writes a gzip and a brotli copy of a file beside it, unless it is small.
 *
 * @returns its size in bytes after gzip
 */
export async function writeCopies(path: string): Promise<{ readonly gzip: number }> {
  const content = await readFile(path);
  const gzip = gzipSync(content, { level: 9 });
  if (content.length >= MIN_COMPRESSED_BYTES) {
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    await writeFile(`${path}.gz`, gzip);
    await writeFile(`${path}.br`, brotliCompressSync(content, { params }));
  }
  return { gzip: gzip.length };
}

/** The size of the fonts that a page preloads. They are compressed already. */
async function sizeOfFonts(dir: string, html: string): Promise<number> {
  const page = await readFile(join(dir, html), 'utf8');
  const sizes = [...page.matchAll(/assets\/[^"]+\.woff2/g)].map(
    async ([path]) => (await stat(join(dir, path))).size,
  );
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}

/** The files of a first load: the HTML file, the chunks with all their imports, and the styles. */
function filesOf(bundle: Rolldown.OutputBundle, html: string, modules: readonly string[]): Set<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const found = new Set([html]);
  const waiting = chunks.filter(({ facadeModuleId }) =>
    [html, ...modules].some((path) => facadeModuleId?.endsWith(`/${path}`)),
  );
  if (waiting.length !== 1 + modules.length) throw new Error(`The build has no ${[html, ...modules]}.`);
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    if (found.has(chunk.fileName)) continue;
    found.add(chunk.fileName);
    for (const name of chunk.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name);
      if (imported) waiting.push(imported);
    }
  }
  // One style sheet has the styles of all pages.
  for (const name of Object.keys(bundle)) if (name.endsWith('.css')) found.add(name);
  return found;
}
