import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { layerFaults, picture, sourceFiles } from '../../tools/scripts/layers.ts';

/** Planted imports: the file, what it imports, and whether the check must refuse it. */
const PLANTED: readonly (readonly [string, string, 'refused' | 'allowed'])[] = [
  ['src/domain/catalog/plan/a.ts', '../../../api/server/server.ts', 'refused'],
  ['src/domain/catalog/plan/b.ts', '../../../operations/health.ts', 'refused'],
  ['src/domain/catalog/plan/c.ts', '../../../../indexer/main.ts', 'refused'],
  ['src/domain/catalog/plan/d.ts', '../../../../workers/main.ts', 'refused'],
  ['src/domain/catalog/plan/e.ts', '../../../../bin/arguments.ts', 'refused'],
  ['src/domain/catalog/plan/f.ts', '../../../../localnet/localnet.ts', 'refused'],
  ['src/domain/catalog/plan/g.ts', '../../../../test/domain/world.ts', 'refused'],
  ['src/domain/catalog/plan/h.ts', '../../billing/collect/due.ts', 'refused'],
  ['src/domain/messages/event/a.ts', '../webhook/find-endpoint.ts', 'refused'],
  ['src/domain/messages/webhook/delivery/a.ts', '../../relay/relay-events.ts', 'refused'],
  ['src/domain/messages/webhook/delivery/b.ts', '../../../../api/server/server.ts', 'refused'],
  ['src/chain/a.ts', '../domain/catalog/plan/get-plan.ts', 'refused'],
  ['src/chain/b.ts', '../jobs/jobs.ts', 'refused'],
  ['src/chain/c.ts', '../app.ts', 'refused'],
  ['src/jobs/a.ts', '../domain/catalog/plan/get-plan.ts', 'refused'],
  ['src/jobs/b.ts', '../app.ts', 'refused'],
  ['src/db/a.ts', '../chain/chain.ts', 'refused'],
  ['src/db/b.ts', '../domain/catalog/plan/get-plan.ts', 'refused'],
  ['src/observability/metrics/a.ts', '../../domain/catalog/plan/get-plan.ts', 'refused'],
  ['src/errors.ts', './domain/catalog/plan/get-plan.ts', 'refused'],
  ['src/domain/billing/book/a.ts', '../collect/due.ts', 'refused'],
  ['src/domain/billing/settle/a.ts', '../follow/void-attempts.ts', 'refused'],
  ['src/domain/messages/webhook/post/a.ts', '../delivery/deliverer.ts', 'refused'],
  ['src/api/access/a.ts', '../graphql/context.ts', 'refused'],
  ['src/api/rest/a.ts', '../server/router.ts', 'refused'],
  ['src/api/graphql/types/c.ts', '../../server/router.ts', 'refused'],
  ['src/chain/rpc/a.ts', '../accounts/addresses.ts', 'refused'],
  ['src/chain/accounts/a.ts', '../transactions/memo.ts', 'refused'],
  ['src/chain/transactions/a.ts', '../rpc/send.ts', 'allowed'],
  ['indexer/order/a.ts', '../apply/mirror.ts', 'refused'],
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
  ['web/shared/money/a.ts', '../../../src/domain/catalog/plan/get-plan.ts', 'refused'],
  ['src/api/pages/a.ts', '../../../web/shared/money/amount.ts', 'refused'],
  ['web/shared/money/b.ts', '../../../src/domain/catalog/money/decimal-amount.ts', 'allowed'],
  ['src/domain/billing/read/a.ts', '../../catalog/plan/get-plan.ts', 'allowed'],
  ['src/domain/catalog/plan/i.ts', '../../../observability/metrics/counters.ts', 'allowed'],
  ['src/domain/catalog/plan/j.ts', '../../../app.ts', 'allowed'],
  ['src/api/graphql/types/b.ts', '../../../domain/catalog/plan/get-plan.ts', 'allowed'],
  ['src/chain/d.ts', '../observability/log.ts', 'allowed'],
  ['indexer/b.ts', '../src/domain/catalog/plan/get-plan.ts', 'allowed'],
  ['src/domain/accounts/member/a.ts', '../../messages/event/record-event.ts', 'refused'],
  ['src/domain/messages/webhook/post/b.ts', '../find-endpoint.ts', 'allowed'],
  ['src/new-folder/a.ts', '../errors.ts', 'refused'],
];

it.each(PLANTED)('a planted import in %s of %s is %s', (file, imported, outcome) => {
  // A type import counts like a value import.
  const text = `// A comment.\nimport type { A } from '${imported}';\n`;
  const faults = layerFaults(new Map([[file, text]]));
  expect(faults.length).toBe(outcome === 'refused' ? 1 : 0);
  for (const fault of faults) expect(fault).toMatch(new RegExp(`^${file}:2 imports \\S+: .+\\.$`));
});

it.each([
  ["import { a } from './b.ts';", "import { a } from './a.ts';"],
  ["import type {\n  A,\n} from './b.ts';", "export { a } from './a.ts';"],
  ["import './b.ts';", "const a = await import('./a.ts');"],
])('two files that import each other are a circle: %j, %j', (a, b) => {
  const folder = 'src/domain/catalog/plan';
  const faults = layerFaults(
    new Map([
      [`${folder}/a.ts`, a],
      [`${folder}/b.ts`, b],
    ]),
  );
  expect(faults).toEqual([
    `These files import one another: ${folder}/a.ts → ${folder}/b.ts → ${folder}/a.ts.`,
  ]);
});

it('all imports point one way, and architecture.md has the picture', async () => {
  const files = await sourceFiles();
  expect(files.size).toBeGreaterThan(1_000);
  expect(layerFaults(files)).toEqual([]);
  const text = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  expect(text).toContain(picture());
});
