/** Installed packages are the same from any registry, and have licences that a product may use. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

async function readLock(path: string) {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  return { path, text, locked: Object.entries(packages).filter(([packagePath]) => packagePath !== '') };
}

const product = await readLock('package-lock.json');
const site = await readLock('site/package-lock.json');
/** Packages that `npm ci --omit=dev` installs, on any platform. */
const shipped = product.locked.filter(([, { dev }]) => !dev);

/** Packages that declare no licence or one outside the list, and why each is allowed. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'node_modules/@expo-google-fonts/noto-sans':
    'fonts under OFL-1.1 may be bundled with any program, and files that use them have no conditions',
  'node_modules/@triton-one/yellowstone-grpc-napi-linux-x64-gnu': 'a build of its parent, which declares one',
  'node_modules/@triton-one/yellowstone-grpc-napi-linux-x64-musl':
    'a build of its parent, which declares one',
  'node_modules/png-js': 'declares none, but its LICENSE is that of MIT',
};
const LICENCES = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'PostgreSQL',
  'Python-2.0',
  'Zlib',
];
/** Whether one of the package's alternative licences is allowed. */
const isAllowed = (licence: string) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((part) => LICENCES.includes(part.trim())));

describe.each([product, site])('$path', ({ text, locked }) => {
  it('has the integrity of every package for this platform', () => {
    // A registry without the builds for other platforms returns no integrity for them. `npm run lock`
    // adds it if a registry has the builds.
    const isForOtherPlatform = ({ optional, os = [], cpu = [], libc = [] }: LockedPackage) =>
      optional === true &&
      os.length + cpu.length > 0 &&
      !(os.includes('linux') && cpu.includes('x64') && !libc.includes('musl'));
    const missing = locked.filter(
      ([path, entry]) =>
        !entry.link &&
        !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? '') &&
        !(entry.integrity === undefined && (isForOtherPlatform(entry) || /musl/.test(path))),
    );
    expect(missing.map(([path]) => path)).toEqual([]);
  });

  it('names no registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(text).not.toMatch(/"[^"]*https?:\/\/[^"]*registry/);
  });
});

describe('shipped packages', () => {
  it('have licences that require only a notice', async () => {
    const notAllowed: string[] = [];
    for (const [path, { license }] of shipped) {
      const installed = await readFile(new URL(`../../${path}/package.json`, import.meta.url), 'utf8').catch(
        () => '{}',
      );
      const declared = (JSON.parse(installed) as { license?: string | { type: string } }).license;
      const licence = license ?? (typeof declared === 'string' ? declared : declared?.type);
      // Builds for other platforms are not installed. They have the licence of their parent.
      if (installed === '{}' && licence === undefined) continue;
      if (!isAllowed(licence ?? '') && !(path in EXCEPTIONS)) notAllowed.push(`${path}: ${licence}`);
    }
    expect(notAllowed).toEqual([]);
  });
});
