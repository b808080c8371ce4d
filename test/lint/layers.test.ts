import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, EDGES, FOUNDATION, layerConfig, WITHIN } from '../../scripts/layers.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, ROOT), 'utf8');

/** Planted imports: the file, what it imports, and whether the lint must refuse it. */
const PLANTED: readonly (readonly [string, string, 'refused' | 'allowed'])[] = [
  ['src/domain/plan/a.ts', '../../api/server/server.ts', 'refused'],
  ['src/domain/plan/b.ts', '../../operations/health.ts', 'refused'],
  ['src/domain/plan/c.ts', '../../../indexer/main.ts', 'refused'],
  ['src/domain/plan/d.ts', '../../../workers/main.ts', 'refused'],
  ['src/domain/plan/e.ts', '../../../bin/arguments.ts', 'refused'],
  ['src/domain/plan/f.ts', '../../../localnet/localnet.ts', 'refused'],
  ['src/domain/plan/g.ts', '../../../test/domain/world.ts', 'refused'],
  ['src/domain/plan/h.ts', '../billing/collect/due.ts', 'refused'],
  ['src/domain/event/a.ts', '../webhook/find-endpoint.ts', 'refused'],
  ['src/domain/webhook/delivery/a.ts', '../../relay/relay-events.ts', 'refused'],
  ['src/domain/webhook/delivery/b.ts', '../../../api/server/server.ts', 'refused'],
  ['src/chain/a.ts', '../domain/plan/get-plan.ts', 'refused'],
  ['src/chain/b.ts', '../jobs/jobs.ts', 'refused'],
  ['src/chain/c.ts', '../app.ts', 'refused'],
  ['src/jobs/a.ts', '../domain/plan/get-plan.ts', 'refused'],
  ['src/jobs/b.ts', '../app.ts', 'refused'],
  ['src/db/a.ts', '../chain/chain.ts', 'refused'],
  ['src/db/b.ts', '../domain/plan/get-plan.ts', 'refused'],
  ['src/observability/metrics/a.ts', '../../domain/plan/get-plan.ts', 'refused'],
  ['src/errors.ts', './domain/plan/get-plan.ts', 'refused'],
  ['src/domain/billing/book/a.ts', '../collect/due.ts', 'refused'],
  ['src/domain/billing/settle/a.ts', '../follow/void-attempts.ts', 'refused'],
  ['src/domain/webhook/post/a.ts', '../delivery/deliverer.ts', 'refused'],
  ['src/api/access/a.ts', '../graphql/context.ts', 'refused'],
  ['src/api/rest/a.ts', '../server/router.ts', 'refused'],
  ['src/api/graphql/types/c.ts', '../../server/router.ts', 'refused'],
  ['src/chain/rpc/a.ts', '../accounts/addresses.ts', 'refused'],
  ['src/chain/accounts/a.ts', '../transactions/memo.ts', 'refused'],
  ['src/chain/transactions/a.ts', '../rpc/send.ts', 'allowed'],
  ['indexer/order/a.ts', '../apply/mirror.ts', 'refused'],
  // Two files of one folder that import each other.
  ['src/domain/plan/k.ts', './l.ts', 'refused'],
  ['src/domain/plan/l.ts', './k.ts', 'refused'],
  ['src/domain/billing/follow/a.ts', '../settle/fail-payments.ts', 'allowed'],
  ['src/api/server/a.ts', '../graphql/context.ts', 'allowed'],
  ['src/operations/a.ts', '../api/server/server.ts', 'refused'],
  ['src/api/graphql/types/a.ts', '../../../../workers/main.ts', 'refused'],
  ['indexer/apply/a.ts', '../../src/api/server/server.ts', 'refused'],
  ['workers/a.ts', '../src/api/server/server.ts', 'refused'],
  ['localnet/rpc/a.ts', '../../src/chain/chain.ts', 'refused'],
  ['chaos/a.ts', '../bench/api.ts', 'refused'],
  ['bench/a.ts', '../test/api/world.ts', 'refused'],
  ['tools/a.ts', '../demo/story.ts', 'refused'],
  ['bench/b.ts', '../tools/random.ts', 'allowed'],
  ['client/a.ts', '../src/errors.ts', 'refused'],
  ['web/shared/money/a.ts', '../../../src/domain/plan/get-plan.ts', 'refused'],
  ['src/api/pages/a.ts', '../../../web/shared/money/amount.ts', 'refused'],
  ['web/shared/money/b.ts', '../../../src/domain/money/decimal-amount.ts', 'allowed'],
  ['src/domain/billing/a.ts', '../plan/get-plan.ts', 'allowed'],
  ['src/domain/plan/i.ts', '../../observability/metrics/counters.ts', 'allowed'],
  ['src/domain/plan/j.ts', '../../app.ts', 'allowed'],
  ['src/api/graphql/types/b.ts', '../../../domain/plan/get-plan.ts', 'allowed'],
  ['src/chain/d.ts', '../observability/log.ts', 'allowed'],
  ['indexer/b.ts', '../src/domain/plan/get-plan.ts', 'allowed'],
];

describe('a planted import', () => {
  let folder: string;
  let refused: Set<string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dues-layers-'));
    const {
      vcs: _,
      $schema: __,
      ...config
    } = JSON.parse(await read('biome.json')) as Record<string, unknown>;
    await writeFile(join(folder, 'biome.json'), JSON.stringify(config));
    await writeFile(join(folder, 'biome.layers.json'), await read('biome.layers.json'));
    for (const [file, imported] of PLANTED) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      // A type import counts like a value import.
      await writeFile(join(folder, file), `import type { A } from '${imported}';\n\nexport type B = A;\n`);
    }
    const biome = fileURLToPath(new URL('node_modules/.bin/biome', ROOT));
    const args = [
      'lint',
      '--only=style/noRestrictedImports',
      '--only=suspicious/noImportCycles',
      '--max-diagnostics=none',
      '--reporter=github',
      '.',
    ];
    const { stdout } = spawnSync(process.execPath, [biome, ...args], { cwd: folder, encoding: 'utf8' });
    // The reporter names files by their full path.
    refused = new Set(Array.from(stdout.matchAll(/file=([^,]+),/g), ([, file = '']) => file));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(PLANTED)('in %s of %s is %s', (file, _, outcome) => {
    expect(refused.has(join(folder, file)) ? 'refused' : 'allowed').toBe(outcome);
  });
});

it('the layers name every folder, and biome.layers.json matches them', async () => {
  const listFolders = async (path: string) =>
    (await readdir(new URL(path, ROOT), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  expect(await listFolders('src/domain')).toEqual([...DOMAIN].sort());
  const edges = Object.values(EDGES).flatMap(({ folder }) => /^src\/(.+)$/.exec(folder)?.[1] ?? []);
  expect(await listFolders('src')).toEqual([...FOUNDATION, ...edges, 'domain', 'generated'].sort());
  for (const [folder, within] of Object.entries(WITHIN)) {
    expect(await listFolders(folder)).toEqual([...within].sort());
  }
  expect(JSON.parse(await read('biome.layers.json'))).toEqual(JSON.parse(JSON.stringify(layerConfig())));
});
