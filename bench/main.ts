import { styleText } from 'node:util';

/** Each bench prints what it does as it goes, a table, and its figures as one line of JSON last. */
const BENCHES: Record<string, () => Promise<{ default: () => Promise<void> }>> = {
  api: () => import('./api.ts'),
  collect: () => import('./collect.ts'),
  live: () => import('./live.ts'),
  localnet: () => import('./localnet.ts'),
  stream: () => import('./stream.ts'),
  webhooks: () => import('./webhooks.ts'),
};

const name = process.argv[2] ?? '';
const load = BENCHES[name];
if (!load) {
  console.error(styleText('red', `Which bench? npm run bench -- ${Object.keys(BENCHES).join(' | ')}`));
  process.exit(1);
}
await (await load()).default();
// The embedded database's package hooks into the end of a process that comes by itself, and makes it a success.
process.exit();
