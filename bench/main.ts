import { Command, Option } from 'commander';
import { strictUsage } from '../bin/strict-usage.ts';
import { ATTACKS } from './flood-attacks.ts';
import type { StrangerAttackName } from './stranger-attacks.ts';

type Bench = () => Promise<{ default: () => Promise<void> }>;

/** Each bench prints its progress, and last its figures as one line of JSON. */
const BENCHES: Readonly<Record<string, { readonly measures: string; readonly load: Bench }>> = {
  api: { measures: 'pages of GraphQL and REST, and live sockets', load: () => import('./api.ts') },
  live: { measures: 'live sockets of one process', load: () => import('./live.ts') },
  localnet: { measures: 'transactions of the local network', load: () => import('./localnet.ts') },
  queries: { measures: 'the hot queries on a filled database', load: () => import('./queries.ts') },
  scale: { measures: 'blocks, pulls and the relay at scale', load: () => import('./scale.ts') },
  stream: { measures: 'updates that the indexer applies per second', load: () => import('./stream.ts') },
  webhooks: { measures: 'webhooks delivered per second', load: () => import('./webhooks.ts') },
};

const CUSTOMER_PARTS = ['buys', 'strangers', 'leaks', 'pages', 'top-up', 'mails', 'receipts'];
const DASHBOARD_PARTS = ['live', 'pages', 'lighthouse', 'lists'];
const STRANGER_ATTACKS: readonly StrangerAttackName[] = ['a1', 'a2', 'a3', 'a4', 'a5'];
const COLLECT_PARTS = ['charges', 'lateness', 'idle', 'sweep', 'stream'];

const bench = new Command('npm run bench --').description('Measures one part of dues.').helpCommand(false);
for (const [name, { measures, load }] of Object.entries(BENCHES)) {
  bench
    .command(name)
    .description(measures)
    .action(async () => (await load()).default());
}
bench
  .command('collect')
  .description('payments collected per second')
  .addOption(new Option('--only <part>', 'only this part').choices(COLLECT_PARTS))
  .action(async ({ only }) => (await import('./collect.ts')).default(only));
bench
  .command('customer')
  .description('customers: how they buy, their pages, the portal, top-ups, mails and receipts')
  .addOption(new Option('--only <part>', 'only this part').choices(CUSTOMER_PARTS))
  .action(async ({ only }) => (await import('./customer.ts')).default(only));
bench
  .command('dashboard')
  .description('the dashboard in a browser: the story of a merchant, pages, live data, lists')
  .addOption(new Option('--only <part>', 'only the story and this part').choices(DASHBOARD_PARTS))
  .action(async ({ only }) => (await import('./dashboard.ts')).default(only));
bench
  .command('shared')
  .description('how evenly four workers share due work')
  .addOption(new Option('--only <part>', 'only this part').choices(['deliveries', 'payments']))
  .action(async (only) => (await import('./shared.ts')).default(only));
bench
  .command('flood')
  .description('latency of merchants while the API is flooded, and while strangers attack')
  .addOption(new Option('--only <part>', 'only this part').choices(['connections', 'strangers']))
  .addOption(new Option('--store <store>', 'only this store of counters').choices(['postgresql', 'redis']))
  .addOption(
    new Option('--attack <attack>', 'only this attack').choices([
      ...Object.keys(ATTACKS),
      ...STRANGER_ATTACKS,
    ]),
  )
  .addOption(
    new Option('--from <addresses>', 'only from one address, or only from many').choices(['one', 'many']),
  )
  .addOption(new Option('--behind <front>', 'behind the HAProxy of deploy/').choices(['proxy']))
  .action(async (only) => (await import('./flood.ts')).default(only));
await strictUsage(bench).parseAsync();
// Exits explicitly, because the embedded database's package overrides the exit code otherwise.
process.exit();
