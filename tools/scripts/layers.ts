// The order of the folders. A file may import its own folder, the folders that contain it, and all
// that come earlier in LAYERS. `npm run layers` names each import that points the other way and each
// circle of files, and draws the picture in docs/architecture.md. test/lint/layers.test.ts runs it.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import { markdownTable } from '../markdown-table.ts';

/**
 * Folders from the lowest to the highest. The last part of a name may be a list. `src/clock.ts`
 * belongs to the folder `src/clock`.
 */
const LAYERS: readonly string[] = [
  'src/base58',
  'src/{clock,errors,ed25519-key,secrets}',
  'src/{async,db,observability,config,postgres}',
  'src/chain/{rpc,accounts,transactions}',
  'src/{chain,jobs,live,app}',
  'src/domain/kernel/{access,input,paging,audit-log}',
  'src/domain/chain-state/{cluster,collector,mirror,clock,wallet-state}',
  'src/domain/catalog/{asset,money,plan}',
  'src/domain/accounts/{merchant,customer,api-key,sign-in,member}',
  'src/domain/messages/{event,mail}',
  'src/domain/messages/webhook/{post,delivery}',
  'src/domain/messages/{webhook,relay}',
  'src/domain/billing/{price,receipt,schedule,customer-state,book,read,lifecycle,discount,settle,waive,refund,collect,follow}',
  'src/domain/checkout/{discount,session,proof,sponsoring,signing,completion,payment-link}',
  'src/domain/portal',
  'src/domain/insight/{metrics,forecast,search,export}',
  'src/domain/maintenance/{retention,service-health,upkeep,after-restore,books-check}',
  'src/operations',
  'src/api/{access,rate-limit,http,errors,admission,rest,openapi,pages,static}',
  'src/api/{graphql,portal,server}',
  'indexer/{order,apply,repair,source}',
  '{indexer,workers,localnet,client,web,bin,tools,test/support,bench,chaos,demo,tools/scripts,docs,deploy,site,test}',
];

/** What the wings of src/domain are for, from the lowest to the highest. */
export const WINGS: Readonly<Record<string, string>> = {
  kernel: 'Who acts and on what, valid input, pages of lists, the audit log of the merchant.',
  'chain-state': 'What dues knows of each cluster: its time, the mirror, the collector, wallets.',
  catalog: 'What a merchant sells: plans, their tokens and amounts.',
  accounts: 'Who has an account: merchants, their members and API keys, customers.',
  messages: 'What others are told: events, webhooks, mails.',
  billing: 'What is due, and what becomes of it: payments, subscriptions, refunds, receipts.',
  checkout: 'How a customer subscribes: sessions, payment links, what the wallet signs, the proof.',
  portal: 'What a customer sees and does after that.',
  insight: 'What a merchant looks up: metrics, forecast, search, exports.',
  maintenance: 'What runs beside: the purge, the health of services, the check of the books.',
};

/** Folders that import nothing else of the project but what is named here. */
const APART: Readonly<Record<string, { readonly may: readonly string[]; readonly why: string }>> = {
  localnet: { may: ['src/base58'], why: 'it replaces a cluster, and a cluster has no code of dues' },
  client: { may: [], why: 'merchants install it without the server' },
  web: {
    may: [
      'src/base58',
      'src/domain/catalog/money',
      'src/api/portal/answers.ts',
      'src/api/pages/page-data.ts',
    ],
    why: 'browsers run it',
  },
};

/** Folders that do not import one another, although one comes first in LAYERS. */
const SIDE_BY_SIDE: readonly (readonly (readonly string[])[])[] = [
  [['src/operations', 'src/api'], ['indexer'], ['workers']],
  [['bench'], ['chaos'], ['demo']],
];

const ORDER = LAYERS.flatMap((line) => {
  const [, before = '', list, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(line) ?? [];
  return list ? list.split(',').map((name) => before + name + after) : [line];
});

const isIn = (path: string, folder: string) =>
  path === folder || path === `${folder}.ts` || path.startsWith(`${folder}/`);

/** The layer of a file: the longest name in ORDER that contains it. */
function layerOf(path: string): string | undefined {
  return ORDER.filter((layer) => isIn(path, layer)).sort((a, b) => b.length - a.length)[0];
}

/** Why a file must not import another; undefined if it may. */
function refusalOf(from: string, to: string): string | undefined {
  const lower = layerOf(to);
  const upper = layerOf(from);
  if (!lower || !upper) return `LAYERS does not name the folder of ${lower ? from : to}`;
  const top = from.split('/', 1)[0] ?? '';
  const apart = APART[top];
  if (apart && !isIn(to, top) && !apart.may.some((folder) => isIn(to, folder))) {
    return `${top} stands apart, because ${apart.why}`;
  }
  for (const parts of SIDE_BY_SIDE) {
    const partOf = (path: string) => parts.find((folders) => folders.some((folder) => isIn(path, folder)));
    const [own, other] = [partOf(from), partOf(to)];
    if (own && other && own !== other) {
      return `${own.join(' and ')} must not import ${other.join(' and ')}`;
    }
  }
  if (isIn(upper, lower) || ORDER.indexOf(lower) <= ORDER.indexOf(upper)) return undefined;
  return `${upper} comes before ${lower}`;
}

interface Import {
  readonly line: number;
  readonly to: string;
}

/** The relative imports of a file, of types and of values, as paths from the root. */
function importsOf(path: string, text: string): Import[] {
  return Array.from(
    text.matchAll(/^(?!\s*(?:\/\/|\*)).*?\b(?:from|import)\s*\(?\s*'(\.[^']+)'/gm),
    (match) => ({
      line: text.slice(0, match.index).split('\n').length,
      to: normalize(join(path, '..', match[1] ?? '')),
    }),
  );
}

/** A circle of files that import one another, or undefined. */
function circleIn(imports: ReadonlyMap<string, readonly Import[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const open: string[] = [];
  function visit(path: string): readonly string[] | undefined {
    if (done.has(path)) return undefined;
    if (open.includes(path)) return [...open.slice(open.indexOf(path)), path];
    open.push(path);
    for (const { to } of imports.get(path) ?? []) {
      const circle = visit(to);
      if (circle) return circle;
    }
    open.pop();
    done.add(path);
    return undefined;
  }
  for (const path of imports.keys()) {
    const circle = visit(path);
    if (circle) return circle;
  }
  return undefined;
}

/**
 * The faults in the imports of the files: one line each, with file, line and rule. Generated code is
 * not checked.
 */
export function layerFaults(files: ReadonlyMap<string, string>): string[] {
  const imports = new Map(
    Array.from(files, ([path, text]) => [
      path,
      importsOf(path, text).filter(
        ({ to }) => !/(?:^|\/)generated\/|^[^/]*$|^dist\//.test(to) && path.includes('/'),
      ),
    ]),
  );
  const upwards = Array.from(imports, ([path, list]) =>
    list.flatMap(({ line, to }) => {
      const refusal = refusalOf(path, to);
      return refusal ? [`${path}:${line} imports ${to}: ${refusal}.`] : [];
    }),
  ).flat();
  const circle = circleIn(imports);
  return circle ? [...upwards, `These files import one another: ${circle.join(' → ')}.`] : upwards;
}

/** The TypeScript files of the repository, with their text. */
export async function sourceFiles(): Promise<ReadonlyMap<string, string>> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mts'];
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const paths = stdout.split('\n').filter((path) => path && !/(?:^|\/)generated\//.test(path));
  const read = (path: string) => readFile(join(root, path), 'utf8').catch(() => '');
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
}

/** The wings and rooms of the domain as a table for docs/architecture.md, the highest first. */
export function picture(): string {
  const rows = Object.entries(WINGS).map(([wing, purpose]) => {
    const folder = `src/domain/${wing}/`;
    const rooms = ORDER.filter((layer) => layer.startsWith(folder)).map((layer) =>
      layer.slice(folder.length),
    );
    return [`\`${wing}\``, purpose, rooms.join(', ')];
  });
  return markdownTable(['wing', 'what it is for', 'rooms, each imports those before it'], rows.reverse());
}

if (import.meta.main) {
  const { check } = strictUsage(
    new Command('node tools/scripts/layers.ts')
      .description('Checks the direction of all imports, and draws the picture in docs/architecture.md.')
      .option('--check', 'fail if the picture differs, and write nothing', false),
  )
    .parse()
    .opts<{ readonly check: boolean }>();
  const faults = layerFaults(await sourceFiles());
  const file = new URL('../../docs/architecture.md', import.meta.url);
  const text = await readFile(file, 'utf8');
  const drawn = text.replace(
    /(<!-- layers -->\n)[\s\S]*?(<!-- \/layers -->)/,
    (_, start, end) => `${start}${picture()}\n${end}`,
  );
  if (!check) await writeFile(file, drawn);
  else if (text !== drawn) faults.push('The picture in docs/architecture.md is old. Run: npm run layers');
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
