// Completes package-lock.json if the registry lacks builds of a native package for some platforms.
// npm then omits these packages, and `npm ci` refuses the lockfile on every platform ("Missing:
// litesvm-darwin-arm64@ from lock file"). For each omitted package this script adds the name, the
// version that its parent requires, the platform, and the integrity that npm reports. If the
// registry does not carry the package, the integrity is missing and the script names the package:
// run it again with a registry that carries it. Run it after every change of dependencies:
// `npm run lock`.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';

interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const PLATFORMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
const ARCHITECTURES = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const { folder } = strictUsage(
  new Command('npm run lock --')
    .description('Adds the packages that npm has omitted to package-lock.json.')
    .option('--folder <path>', 'folder of the package, from the root of the repository', '.'),
)
  .parse()
  .opts<{ readonly folder: string }>();
const file = new URL(`../../${folder}/package-lock.json`, import.meta.url);
const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockedPackage> };
const added: string[] = [];
for (const [path, parent] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const paths = [`${path}/node_modules/${name}`, `node_modules/${name}`];
    if (paths.some((path) => path in lock.packages)) continue;
    const words = name.split(/[/-]/);
    const os = words.includes('windows') ? 'win32' : PLATFORMS.find((platform) => words.includes(platform));
    const cpu = ARCHITECTURES.find((architecture) => words.includes(architecture));
    // WebAssembly runs on every operating system.
    if (!cpu || (!os && cpu !== 'wasm32'))
      throw new Error(`the name of ${name}, which ${path} requires, does not contain its platform`);
    const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ''),
      cpu: [cpu],
      ...(parent.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
    added.push(name);
  }
}
const unknown: string[] = [];
for (const [path, locked] of Object.entries(lock.packages)) {
  if (path === '' || locked.link || locked.integrity) continue;
  const name = `${path.replace(/^.*node_modules\//, '')}@${locked.version}`;
  const integrity = await readIntegrity(name);
  if (integrity) locked.integrity = integrity;
  else unknown.push(name);
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(added.length === 0 ? 'package-lock.json is complete' : `added ${added.join(', ')}`);
if (unknown.length > 0) {
  console.warn(
    `${unknown.length} packages have no integrity, because the registry does not carry them: ${unknown.join(', ')}`,
  );
}

/**
 * Reads the integrity of a package and version from the registry; undefined if the registry does
 * not carry them.
 *
 * @throws Error if the registry did not answer, because the package may then exist
 */
async function readIntegrity(name: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'dist.integrity', '--json']).catch(
    (error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const response: unknown = stdout === '' ? undefined : JSON.parse(stdout);
  if (typeof response === 'string' && response.startsWith('sha512-')) return response;
  const { error } = (response ?? {}) as { error?: { code?: string; summary?: string } };
  if (error && error.code !== 'E404') throw new Error(`npm view ${name}: ${error.summary ?? error.code}`);
  return undefined;
}
