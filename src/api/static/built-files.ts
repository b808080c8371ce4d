import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** One file of the built pages, with its copies by encoding. */
export interface BuiltFile {
  readonly type: string;
  readonly content: Encoded;
  readonly br: Encoded | undefined;
  readonly gzip: Encoded | undefined;
}

type Encoded = Uint8Array<ArrayBuffer>;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  ico: 'image/x-icon',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  woff2: 'font/woff2',
  // The index of Pagefind, the search of the documentation.
  pagefind: 'application/octet-stream',
  pf_meta: 'application/octet-stream',
  pf_index: 'application/octet-stream',
  pf_fragment: 'application/octet-stream',
};

/**
 * Reads the files of a build into memory, by their path with `/`. A request can therefore name only
 * files of the build, and needs no disk access. A folder that does not exist has no files.
 */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  for (const path of pathsIn(folder)) {
    const type = TYPES[extname(path).slice(1)];
    if (!type) continue;
    const read = (ending: string) => contentOf(join(folder, path + ending));
    const content = read('');
    if (!content) continue;
    files.set(path.split(sep).join('/'), { type, content, br: read('.br'), gzip: read('.gz') });
  }
  return files;
}

function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function contentOf(path: string): Encoded | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
