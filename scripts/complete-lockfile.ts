// Adds to package-lock.json what npm leaves out where a registry does not carry every platform's build of a native
// package: `npm ci` then refuses the whole lockfile ("Missing: litesvm-darwin-arm64@ from lock file"), although nobody
// asked for that platform. What is added is the name, the version that its parent wants and the platform; a machine of
// that platform resolves it from its own registry. Run it after every change of dependencies: npm run lock
import { readFile, writeFile } from 'node:fs/promises';

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const PLATFORMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
const ARCHITECTURES = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockedPackage> };
const added: string[] = [];
for (const [path, parent] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
    if (places.some((place) => place in lock.packages)) continue;
    const words = name.split(/[/-]/);
    const os = PLATFORMS.find((platform) => words.includes(platform));
    const cpu = ARCHITECTURES.find((architecture) => words.includes(architecture));
    if (!os || !cpu) throw new Error(`${name}, wanted by ${path}, does not name its platform`);
    const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ''),
      cpu: [cpu],
      ...(parent.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      os: [os],
    };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(added.length === 0 ? 'package-lock.json is complete' : `added ${added.join(', ')}`);
