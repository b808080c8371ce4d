import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startLocalnet } from '../../localnet/localnet.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { PRICE, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startWorld());
const folder = await mkdtemp(join(tmpdir(), 'dues-subscribe-'));
const rpcUrl = world.chain.config.rpcUrl;
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function newCheckout(): Promise<string> {
  const { createCheckoutSession } = await world.graphql<{ createCheckoutSession: { url: string } }>(
    'mutation ($input: CreateCheckoutSessionInput!) { createCheckoutSession(input: $input) { url } }',
    { input: { planId: await world.plan(), customerEmail: 'ada@example.com' } },
  );
  // The URL of the page has the public host. The server listens at another address.
  return createCheckoutSession.url.replace(/^https?:\/\/[^/]+/, world.apiUrl);
}

const subscribe = (url: string, ...args: string[]) =>
  runDues(['subscribe', url, '--rpc', rpcUrl, '--data', folder, ...args]);

async function readStatus(url: string): Promise<unknown> {
  const session = await fetch(url.replace('/checkout/', '/api/checkout/'));
  return ((await session.json()) as { status: string }).status;
}

it('dues subscribe pays for a new customer, whose wallet can subscribe again', async () => {
  const url = await newCheckout();
  const first = await subscribe(url, '--payments', '3');
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  const [, id = ''] = /^Subscribed to .*: (\w+)$/m.exec(first.stdout) ?? [];
  const [, file = ''] = /Its key: (.*)$/m.exec(first.stdout) ?? [];
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await world.quiet();
  expect(world.receivedEvents(id)).toEqual(['created', 'payment_succeeded']);
  const [payment] = await world.books(id);
  expect(payment).toMatchObject({ status: 'SUCCEEDED', amount: PRICE });

  const repeated = await subscribe(url);
  expect(repeated.code).toBe(1);
  expect(repeated.stderr).toContain('dues subscribe: the checkout is completed');

  const files = await readdir(folder);
  const second = await subscribe(await newCheckout(), '--wallet', file);
  expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: '' });
  expect(second.stdout).toContain(`Its key: ${file}`);
  expect(await readdir(folder)).toEqual(files);
});

it.each([
  ['a server that is no local network', () => [['--rpc', world.apiUrl], 'which only a local network can']],
  [
    'a network that does not answer',
    () => [['--rpc', 'http://127.0.0.1:9'], 'which only a local network can'],
  ],
  [
    'a wallet file that does not exist',
    () => [['--wallet', join(folder, 'nobody.key')], 'cannot be read: ENOENT'],
  ],
] as [string, () => [string[], string]][])(
  'dues subscribe refuses %s, and changes nothing',
  async (_, makeCase) => {
    const [args, reason] = makeCase();
    const [url, files] = [await newCheckout(), await readdir(folder)];
    const ended = await subscribe(url, ...args);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^dues subscribe: /);
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(await readStatus(url)).toBe('open');
    expect(await readdir(folder)).toEqual(files);
  },
);

it('dues subscribe does not show the content of a file that is not a key', async () => {
  const file = join(folder, 'secret.txt');
  await writeFile(file, 'correct-horse-battery');
  const ended = await subscribe(await newCheckout(), '--wallet', file);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('has no key');
  expect(ended.stderr).not.toContain('horse');
});

it('dues subscribe names the network that it funded, if another is used', async () => {
  const other = await startLocalnet({ slotMs: 20 });
  const ended = await subscribe(await newCheckout(), '--rpc', other.rpcUrl);
  await other.close();
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain(`on the network at ${other.rpcUrl}`);
  expect(ended.stderr).toMatch(/^dues subscribe: The wallet has 0\.00 SOL/);
});

it('dues subscribe refuses a URL that is not that of a checkout', async () => {
  const ended = await subscribe(world.apiUrl);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('Not the URL of a checkout');
  const unknown = await subscribe(`${world.apiUrl}/checkout/cs_nobody`);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(/^dues subscribe: .*session/);
});
