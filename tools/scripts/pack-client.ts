// `npm run client:pack` writes the tarball that merchants install as `dues/client`. The tarball
// contains only the compiled client, and depends only on packages that the client imports.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import root from '../../package.json' with { type: 'json' };

const DEPENDENCIES = [
  '@graphql-typed-document-node/core',
  'eventsource-parser',
  'graphql',
  'graphql-request',
] as const;

const { to } = strictUsage(
  new Command('npm run client:pack --')
    .description('Compiles the client and packs it as a tarball.')
    .option('--to <folder>', 'where the tarball is written', '.'),
)
  .parse()
  .opts<{ readonly to: string }>();
const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

// The client is not built in `dist/`, because a running API serves the built pages from there.
const packed = await mkdtemp(join(tmpdir(), 'dues-client-'));
const tsc = path('node_modules/typescript/bin/tsc');
run(process.execPath, [tsc, '-p', path('client'), '--outDir', join(packed, 'client')]);
const { name, version, description, license, type } = root;
const manifest = {
  name,
  version,
  description,
  license,
  type,
  exports: { './client': { types: './client/dues-client.d.ts', default: './client/dues-client.js' } },
  engines: root.engines,
  dependencies: Object.fromEntries(
    DEPENDENCIES.map((dependency) => [dependency, root.dependencies[dependency]]),
  ),
};
await writeFile(join(packed, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
await cp(path('LICENSE'), join(packed, 'LICENSE'));
await mkdir(to, { recursive: true });
run('npm', ['pack', packed, '--pack-destination', to]);
await rm(packed, { recursive: true });

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
