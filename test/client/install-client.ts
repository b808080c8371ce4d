import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Packages that the client depends on. */
const PACKAGES = ['graphql', 'graphql-request', '@graphql-typed-document-node/core', 'eventsource-parser'];

/**
 * Creates a merchant's project with `dues/client` as it is published, its dependencies, Hono, and
 * the example.
 */
export function installClient(): { readonly project: string; readonly example: string; remove(): void } {
  const project = mkdtempSync(join(tmpdir(), 'dues-client-'));
  const modules = join(project, 'node_modules');
  const dues = join(modules, 'dues');
  mkdirSync(dues, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(dues, 'package.json'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(ROOT, 'client'), '--outDir', join(dues, 'dist/client')];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The client cannot be built: ${stdout}`);
  for (const name of [...PACKAGES, 'hono']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const example = join(project, 'merchant-backend.ts');
  cpSync(join(ROOT, 'docs/examples/merchant-backend.ts'), example);
  return { project, example, remove: () => rmSync(project, { recursive: true }) };
}
