// The allowed directions of imports. `node scripts/layers.ts` writes them as rules to
// biome.layers.json, which biome.json extends. test/lint/layers.test.ts checks that both agree and
// that every folder has its place here.
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { strictUsage } from '../bin/strict-usage.ts';

/** Folders of `src` below the domain. Each may import the folders before it. */
export const FOUNDATION = [
  ...['async', 'db', 'observability', 'config', 'postgres', 'chain', 'jobs'],
] as const;

/** Folders of `src/domain`. Each may import the folders before it and the foundation. */
export const DOMAIN: readonly string[] = [
  ...[
    'access',
    'cluster',
    'asset',
    'collector',
    'mirror',
    'service-health',
    'wallet-state',
    'money',
    'paging',
    'retention',
    'input',
    'audit',
    'customer',
  ],
  ...['event', 'api-key', 'merchant', 'receipt', 'mail', 'plan', 'sign-in', 'test-clock'],
  ...[
    'billing',
    'refund',
    'member',
    'metrics',
    'forecast',
    'books-audit',
    'checkout',
    'payment-link',
    'export',
    'search',
    'webhook',
    'reconcile',
    'relay',
    'portal',
  ],
];

/** Folders within a folder. Each may import the folders before it. */
export const WITHIN: Readonly<Record<string, readonly string[]>> = {
  'src/chain': ['rpc', 'accounts', 'transactions'],
  'src/domain/billing': ['schedule', 'book', 'read', 'lifecycle', 'settle', 'collect', 'follow'],
  'src/domain/webhook': ['post', 'delivery'],
  'src/api': [
    ...['access', 'rate-limit', 'http', 'errors', 'admission', 'rest', 'openapi', 'pages'],
    ...['checkout-browser', 'static', 'graphql', 'portal', 'server'],
  ],
  indexer: ['order', 'apply', 'repair', 'source'],
};

/** The folders that use the domain. Each may import the others, except those in `not`. */
export const EDGES: Readonly<Record<string, { readonly folder: string; readonly not: readonly string[] }>> = {
  operations: { folder: 'src/operations', not: ['api', 'indexer', 'workers'] },
  api: { folder: 'src/api', not: ['indexer', 'workers'] },
  indexer: { folder: 'indexer', not: ['api', 'workers', 'operations'] },
  workers: { folder: 'workers', not: ['api', 'indexer', 'operations'] },
};

const OUTSIDE = [
  ...['localnet', 'test', 'bench', 'bin', 'chaos', 'demo', 'tools', 'scripts', 'examples', 'client', 'web'],
];
/** Programs for developers. They share only code in `tools` and `test/support`. */
const PROGRAMS = ['bench', 'chaos', 'demo', 'test'];
const UP = ['..', '../..', '../../..', '../../../..', '../../../../..'];

const anywhere = (folder: string, levels = UP.length) =>
  UP.slice(0, levels).map((up) => `${up}/${folder}/**`);

function rule(group: readonly string[], message: string) {
  const options = { patterns: [{ group, message }] };
  return { linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } } };
}

/**
 * The rule of a folder, and the rules of its ordered subfolders. A later rule replaces an earlier
 * one, so the rules of subfolders repeat that of the folder.
 */
function withFolders(folder: string, group: readonly string[], message: string): object[] {
  const within = WITHIN[folder] ?? [];
  return [
    { includes: [`${folder}/**`], ...rule(group, message) },
    ...within.map((subfolder, index) => ({
      includes: [`${folder}/${subfolder}/**`],
      ...rule([...within.slice(index + 1).flatMap((above) => anywhere(above, 2)), ...group], message),
    })),
  ];
}

/** The contents of biome.layers.json: one override per folder with the imports that it forbids. */
export function layerConfig(): { readonly overrides: readonly object[] } {
  const outside = OUTSIDE.flatMap((folder) => anywhere(folder));
  const edges = Object.keys(EDGES).flatMap((folder) => anywhere(folder));
  const below = (index: number) => [
    ...FOUNDATION.slice(index + 1).flatMap((folder) => anywhere(folder, 3)),
    ...anywhere('domain'),
    ...edges,
    ...outside,
  ];
  const app = ['../app.ts', '../../app.ts'];
  const message = 'This folder must not import upwards: see scripts/layers.ts.';
  const foundation = FOUNDATION.flatMap((folder, index) =>
    withFolders(`src/${folder}`, [...below(index), ...app], message),
  );
  const root = {
    includes: ['src/*.ts'],
    ...rule(['./domain/**', './api/**', './operations/**', '../**'], message),
  };
  const domain = DOMAIN.flatMap((folder, index) => {
    const above = DOMAIN.slice(index + 1).flatMap((later) => anywhere(later, 2));
    return withFolders(`src/domain/${folder}`, [...above, ...edges, ...outside], message);
  });
  const atEdges = Object.values(EDGES).flatMap(({ folder, not }) => {
    const others = not.flatMap((name) => [...anywhere(name), ...anywhere(`src/${name}`)]);
    return withFolders(folder, [...others, ...outside], message);
  });
  const localnet = {
    includes: ['localnet/**'],
    ...rule(
      ['src', 'indexer', 'workers', 'bin'].flatMap((folder) => anywhere(folder)),
      'localnet replaces a cluster, so it must not import code of dues.',
    ),
  };
  const programs = ['tools', ...PROGRAMS]
    .filter((folder) => folder !== 'test')
    .map((folder) => ({
      includes: [`${folder}/**`],
      ...rule(
        [
          ...PROGRAMS.filter((program) => program !== folder).flatMap((program) => anywhere(program, 3)),
          ...UP.slice(0, 3).map((up) => `!${up}/test/support/**`),
        ],
        'Move what programs share to tools/.',
      ),
    }));
  const client = {
    includes: ['client/**'],
    ...rule(
      ['src', 'indexer', 'workers', 'bin', 'localnet'].flatMap((folder) => anywhere(folder)),
      'The client must not import the server, because merchants install it without the server.',
    ),
  };
  const web = {
    includes: ['web/**'],
    ...rule(
      [
        ...['src', 'indexer', 'workers', 'bin', 'localnet', 'client'].flatMap((folder) => anywhere(folder)),
        ...UP.flatMap((up) => [`!${up}/src/domain/money/**`, `!${up}/src/api/portal/answers.ts`]),
      ],
      'Browsers run this code: it may import only src/domain/money and the types of answers from the server.',
    ),
  };
  return { overrides: [root, ...foundation, ...domain, ...atEdges, localnet, ...programs, client, web] };
}

if (import.meta.main) {
  const { check } = strictUsage(
    new Command('node scripts/layers.ts')
      .description('Writes biome.layers.json from scripts/layers.ts.')
      .option('--check', 'fail if they differ, and write nothing', false),
  )
    .parse()
    .opts<{ readonly check: boolean }>();
  const file = new URL('../biome.layers.json', import.meta.url);
  const lines = layerConfig().overrides.map((override) => JSON.stringify(override));
  const printed = `{ "overrides": [\n${lines.join(',\n')}\n] }\n`;
  if (!check) await writeFile(file, printed);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== printed) {
    console.error('biome.layers.json does not match scripts/layers.ts; run: node scripts/layers.ts');
    process.exitCode = 1;
  }
}
