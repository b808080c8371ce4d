import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
/** The programs that serve strangers. */
const FOLDERS = ['src', 'indexer', 'workers'];
/** The only file that reads accounts. */
const READER = 'src/chain/accounts/read-accounts.ts';
/** The RPC methods that return the data of accounts, and kit's shortcuts for them. */
const READ =
  /\b(getAccountInfo|getMultipleAccounts|getProgramAccounts|getTokenAccountsBy\w+|getTokenLargestAccounts|fetch(Maybe|All|Encoded|JsonParsed)\w*|fetch(Mint|Token|Multisig|Plan|Subscription)\w*|(account|program)(Notifications|Subscribe))\(/g;

async function readSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const file of await readdir(join(ROOT, folder), { recursive: true })) {
      const path = join(folder, file);
      if (!path.endsWith('.ts') || path.startsWith('src/generated')) continue;
      sources.set(path, await readFile(join(ROOT, path), 'utf8'));
    }
  }
  return sources;
}

test('accounts are read in one file only, and each of its calls has a data slice', async () => {
  const sources = await readSources();
  const readers = [...sources].filter(([, source]) => source.match(READ)).map(([path]) => path);
  expect(readers).toEqual([READER]);
  const calls = (sources.get(READER) ?? '').split(/\.(?=get\w*Accounts?\w*\()/).slice(1);
  expect(calls.map((call) => /^(\w+)\([^;]*?\.\.\.slice\b/.exec(call)?.[1])).toEqual([
    'getMultipleAccounts',
    'getAccountInfo',
  ]);
});

test('simulations return no accounts', async () => {
  for (const [path, source] of await readSources()) {
    for (const [call] of source.matchAll(/\.simulateTransaction\([^;]*?\.send\(/g)) {
      expect(call, path).not.toMatch(/\baccounts\b/);
    }
  }
});
