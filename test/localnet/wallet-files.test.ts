/** Tests the files of the wallet that the local network serves to pages. */
import { expect, it } from 'vitest';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const PAGE = 'http://127.0.0.1:3000';

const keyPair = await newKeyPairBytes();
const localnet = await sharedByFile(
  startLocalnet({
    wallet: { accounts: [{ name: 'Demo merchant', keyPair }], origins: [PAGE] },
  }),
);

async function get(path: string, origin?: string) {
  const response = await fetch(new URL(path, localnet.rpcUrl), origin ? { headers: { origin } } : {});
  return { status: response.status, headers: response.headers, text: await response.text() };
}

it('serves a script with all its modules, for pages of every origin', async () => {
  const visited = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (visited.has(path)) return;
    visited.add(path);
    const { status, headers, text } = await get(path);
    expect(status, path).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    for (const [, imported = ''] of text.matchAll(/^import (?:.* from )?'([^']+)';$/gm)) {
      await visit(new URL(imported, `${localnet.rpcUrl}${path}`).pathname);
    }
  };
  await visit(new URL(localnet.walletUrl).pathname);
  expect([...visited]).toContain('/localnet/wallet/local-wallet.ts');
});

it('serves the keys to pages of the allowed origins, and to no others', async () => {
  const accountsFor = async (origin?: string) =>
    JSON.parse((await get('/wallet.json', origin)).text).accounts;
  expect(await accountsFor(PAGE)).toEqual([
    { name: 'Demo merchant', keyPair: Buffer.from(keyPair).toString('base64') },
  ]);
  expect(await accountsFor('http://127.0.0.1:3001')).toEqual([]);
  expect(await accountsFor('https://shop.example')).toEqual([]);
  expect(await accountsFor()).toEqual([]);
});

it('serves no other file', async () => {
  for (const path of ['/localnet/rpc.ts', '/localnet/wallet/tsconfig.json', '/localnet/wallet/../rpc.ts']) {
    expect((await get(path)).status, path).toBe(405);
  }
});
