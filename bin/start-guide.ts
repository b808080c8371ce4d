import { join, relative, resolve } from 'node:path';
import { styleText } from 'node:util';
import type { DemoMerchant } from './demo-merchant.ts';
import type { Development } from './development.ts';

/** The text after the start of dues: its addresses, and commands to try. */
export function startGuide(
  { localnet, database }: Development,
  { api: url, mails }: { readonly api: string; readonly mails: string },
  { apiKey, planId, terms }: DemoMerchant,
  { data, rpcPort }: { readonly data: string; readonly rpcPort: number },
): string {
  const file = (name: string) => join(relative('.', data) || '.', name);
  const post = (path: string, body: string) =>
    `curl -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' -d '${body}' ${url}${path}`;
  const session = JSON.stringify({ planId, customerEmail: 'customer@example.com' });
  const query = JSON.stringify({ query: '{ plans { edges { node { planId status address } } } }' });
  const isElsewhere = relative(data, database.folder).startsWith('..');
  const rpc = rpcPort === 8899 ? '' : ` --rpc ${localnet.rpcUrl}`;
  const variables = `DATABASE_URL=${database.url} SECRET_KEY="$(cat ${file('secret.key')})"`;
  const rows = [
    ['GraphQL', `${url}/graphql`],
    ['Docs', `${url}/docs, and ${url}/openapi.json for machines`],
    ['Mails', `${mails}, where all mails are caught`],
    ['Test key', apiKey],
    ['Plan', `${planId}, ${terms}`],
    ['Solana', `${localnet.rpcUrl} (WebSocket ${localnet.webSocketUrl}, Yellowstone ${localnet.geyserUrl})`],
    ['Database', `${database.url} (files in ${relative('.', database.folder)})`],
    ['Wallets', `${file('demo-merchant.key')}, ${file('collector.key')}`],
  ];
  const commands = [
    ['A checkout; its url can be opened', post('/checkout/create', session)],
    [
      'Subscribe there with a new wallet, funded by the local network',
      `npx dues subscribe <url>${rpc}${resolve(data) === resolve('.data') ? '' : ` --data ${file('')}`}`,
    ],
    ['GraphQL', post('/graphql', query)],
    ['30 days later, the next payment is due', `npx dues travel 30d${rpc}`],
    ['A key for a merchant of your own', `${variables} npx dues keys create --wallet <address>`],
    [
      'The books against the chain',
      `${variables} TEST_RPC_URL=${localnet.rpcUrl} TEST_COLLECTOR_KEY="$(cat ${file('collector.key')})" npx dues audit`,
    ],
    ['Start over, once stopped', `rm -r ${file('')}${isElsewhere ? ` ${database.folder}` : ''}`],
  ];
  return [
    styleText('bold', `dues is running. Open ${url}/dashboard/ in a browser.`),
    `  Choose "dues local wallet", then "Demo merchant". Its accounts have test money, and "Advance`,
    '  time" in the bar at the top makes the next payments due.',
    '',
    ...rows.map(([name = '', value]) => `  ${styleText('dim', name.padEnd(10))} ${value}`),
    '',
    styleText('bold', 'To try'),
    ...commands.flatMap(([title = '', command]) => [`  ${styleText('dim', title)}`, `    ${command}`]),
    '',
    '  Ctrl-C stops it.',
  ].join('\n');
}
