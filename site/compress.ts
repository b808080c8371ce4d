// Writes a gzip and a brotli copy of every text file of the built site, which the API serves.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Smaller files are sent as they are. */
const MIN_COMPRESSED_BYTES = 1_024;

const folder = fileURLToPath(new URL('../dist/site', import.meta.url));
for (const name of await readdir(folder, { recursive: true })) {
  if (!/\.(js|css|html|svg|json|txt|md)$/.test(name)) continue;
  const path = join(folder, name);
  const content = await readFile(path);
  if (content.length < MIN_COMPRESSED_BYTES) continue;
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
  await writeFile(`${path}.br`, brotliCompressSync(content));
}
