// Adds to package-lock.json what npm leaves out where a registry does not carry every platform's build of a native
// package: `npm ci` then refuses the whole lockfile ("Missing: litesvm-darwin-arm64@ from lock file"), although nobody
// asked for that platform. What is added is the name, the version that its parent wants, the platform, and the integrity
// as npm tells it. Where the registry does not carry the package, that is missing, and named at the end: run it once more
// with a registry that does. Run it after every change of dependencies: npm run lock
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { strictUsage } from '../bin/strict-usage.ts';

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
    .description('Adds to package-lock.json what the registry made npm leave out.')
    .option('--folder <path>', 'folder of the package, from the root of the repository', '.'),
)
  .parse()
  .opts<{ readonly folder: string }>();
const file = new URL(`../${folder}/package-lock.json`, import.meta.url);
const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockedPackage> };
const added: string[] = [];
for (const [path, parent] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
    if (places.some((place) => place in lock.packages)) continue;
    const words = name.split(/[/-]/);
    const os = words.includes('windows') ? 'win32' : PLATFORMS.find((platform) => words.includes(platform));
    const cpu = ARCHITECTURES.find((architecture) => words.includes(architecture));
    // WebAssembly runs on every operating system.
    if (!cpu || (!os && cpu !== 'wasm32'))
      throw new Error(`${name}, wanted by ${path}, does not name its platform`);
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
  const integrity = await integrityOf(name);
  if (integrity) locked.integrity = integrity;
  else unknown.push(name);
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(added.length === 0 ? 'package-lock.json is complete' : `added ${added.join(', ')}`);
if (unknown.length > 0) {
  console.warn(
    `${unknown.length} packages without integrity, as the registry does not carry them: ${unknown.join(', ')}`,
  );
}

/**
 * Of a package and version, as the registry knows it; undefined where it does not carry them. Throws where it could not be
 * asked: that says nothing about the package.
 */
async function integrityOf(name: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'dist.integrity', '--json']).catch(
    (error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const answer: unknown = stdout === '' ? undefined : JSON.parse(stdout);
  if (typeof answer === 'string' && answer.startsWith('sha512-')) return answer;
  const { error } = (answer ?? {}) as { error?: { code?: string; summary?: string } };
  if (error && error.code !== 'E404') throw new Error(`npm view ${name}: ${error.summary ?? error.code}`);
  return undefined;
}
