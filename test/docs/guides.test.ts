/** Follows the guides as a reader does, and runs every block against one running dues. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { signatureHeaders } from '../../src/domain/messages/webhook/post/signature.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import type { DuesProcess } from '../../tools/world/dues-process.ts';
import { type StartedDues, startDues } from '../../tools/world/start-dues.ts';
import { startReceiver } from '../../tools/world/webhook-receiver.ts';
import { SOON } from '../support/soon.ts';
import { blocksOf } from './blocks.ts';
import { followPage } from './follow-page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WITHIN_MS = 40_000;

let folder: string;
let work: string;
let dues: DuesProcess;
let end: StartedDues['end'];
let url: string;
let key: string;
let rpcUrl: string;
let ports: Record<string, string>;
let env: Record<string, string | undefined>;

vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  ({ dues, folder, end } = await startDues());
  const data = join(folder, 'data');
  await dues.printed(/Ctrl-C/);
  const findPrinted = (pattern: RegExp) => dues.stdout.match(pattern)?.[1] ?? '';
  url = findPrinted(/GraphQL\s+(\S+)\/graphql/);
  key = findPrinted(/Test key\s+(\S+)/);
  rpcUrl = findPrinted(/Solana\s+(\S+)/);
  const portOf = (address: string) => new URL(address).port;
  ports = { 3000: portOf(url), 8899: portOf(rpcUrl), 4000: String(await freePort()) };
  work = join(folder, 'work');
  await mkdir(work);
  await symlink(data, join(work, '.data'));
  await symlink(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  env = {
    PATH: [await writeCommands(), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    KEY: key,
    DATABASE_URL: findPrinted(/Database\s+(\S+)/),
    SECRET_KEY: (await readFile(join(data, 'secret.key'), 'utf8')).trim(),
    MERCHANT_WALLET: Keypair.generate().publicKey.toBase58(),
  };
});
afterAll(async () => {
  const { code } = await end();
  expect(code).toBe(0);
});

/** Writes an `npx` and an `npm` that use the dues of this test. Returns their folder. */
async function writeCommands(): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(folder, 'started.txt'), dues.stdout.replace(url, 'http://127.0.0.1:3000'));
  const run = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${ROOT}bin/dues.ts'`;
  const npx = [
    'shift',
    `case "$1" in`,
    `  subscribe | travel) ${run} "$@" --rpc ${rpcUrl} ;;`,
    `  *) DUES_URL=${url} ${run} "$@" ;;`,
    'esac',
  ];
  const npm = [`if [ "$1" = start ]; then cat '${folder}/started.txt'; fi`];
  for (const [name, lines] of Object.entries({ npx, npm })) {
    await writeFile(join(bin, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  }
  return bin;
}

const pageAt = (name: string) => readFile(join(ROOT, 'docs', name), 'utf8');
const adaptPorts = (text: string) => text.replaceAll(/\b(3000|8899|4000)\b/g, (port) => ports[port] ?? port);

async function follow(name: string, variables: Record<string, string> = {}): Promise<number> {
  const page = await pageAt(name);
  const isStart = (text: string) => text.startsWith('dues is running.');
  return followPage(page, {
    cwd: work,
    env: { ...env, ...variables },
    withinMs: WITHIN_MS,
    adapt: (text) => (isStart(text) ? text : adaptPorts(text)),
  });
}

async function ask<T>(path: string, body: object): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** Creates a wallet with SOL and USDC of the local network. */
async function newFundedWallet(): Promise<string> {
  const wallet = Keypair.generate().publicKey.toBase58();
  const { data } = await ask<{ data: { assets: { mint: string; isDefault: boolean }[] } }>('/graphql', {
    query: '{ assets { mint isDefault } }',
  });
  const mint = data.assets.find(({ isDefault }) => isDefault)?.mint;
  for (const [method, params] of [
    ['surfnet_setAccount', [wallet, { lamports: 1_000_000_000 }]],
    ['surfnet_setTokenAccount', [wallet, mint, { amount: '100000000' }]],
  ] as const) {
    await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  }
  return wallet;
}

describe('a reader follows', () => {
  it('the code of the README, to a checkout and a verified webhook', async () => {
    const code = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8')).find(
      ({ title }) => title === 'shop.mjs',
    )?.code;
    await writeFile(join(work, 'shop.mjs'), adaptPorts(code ?? ''));
    vi.stubEnv('KEY', key);
    const shop = (await import(/* @vite-ignore */ join(work, 'shop.mjs'))) as {
      checkout(email: string): Promise<string>;
      receive(secret: string, body: string, headers: Record<string, string>): { event: string };
    };
    vi.unstubAllEnvs();
    expect(await shop.checkout('reader@example.com')).toMatch(/\/checkout\/cs_/);
    const secret = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`;
    const body = JSON.stringify({ event: 'subscription.created', data: {} });
    const now = new Date();
    const headers = {
      'webhook-id': 'event-1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('event-1', now, body),
    };
    expect(shop.receive(secret, body, headers).event).toBe('subscription.created');
    expect(() => shop.receive(secret, `${body} `, headers)).toThrow('signature');
  });

  it('the first subscription in five minutes', async () => {
    expect(await follow('guides/first-subscription.md')).toBeGreaterThan(10);
  });

  it("the page for customers' apps", async () => {
    const order = { planId: 'pro-monthly', customerEmail: 'app@example.com' };
    const { sessionId } = await ask<{ sessionId: string }>('/checkout/create', order);
    const variables = { SESSION: sessionId, WALLET: await newFundedWallet() };
    expect(await follow('start/customer-app.md', variables)).toBeGreaterThan(4);
  });

  it('from Stripe Billing', async () => {
    expect(await follow('guides/from-stripe-billing.md')).toBeGreaterThan(6);
  });

  it('migrating away, and collecting without dues', async () => {
    expect(await follow('guides/migrate-away.md')).toBeGreaterThan(5);
  });

  it('going live', async () => {
    expect(await follow('guides/going-live.md')).toBeGreaterThan(5);
    expect(JSON.parse(await readFile(join(work, 'collector.key'), 'utf8'))).toHaveLength(64);
  });

  it('test clocks', async () => {
    expect(await follow('guides/test-clocks.md')).toBeGreaterThan(10);
  });

  it('webhooks in six languages, up to the forwarding by dues', async () => {
    expect(await follow('guides/webhooks-in-six-languages.md')).toBeGreaterThan(7);
  });
});

describe('a receiver of the guide accepts a real webhook, and no other', async () => {
  const page = await pageAt('guides/webhooks-in-six-languages.md');
  const receivers = [...page.matchAll(/^\| (\w+) +\| `(\w+\.\w+)` +\| [^|]+ \| `([^`]+)` +\|$/gm)].map(
    ([, language = '', file = '', command = '']) => ({ language, file, command }),
  );
  const missing = receivers.filter(({ language }) => !canRun(language)).map(({ language }) => language);
  if (missing.length > 0)
    console.log(`LEFT OUT: receivers in ${missing.join(', ')}: not installed on this machine`);

  let webhook: { body: string; headers: Record<string, string>; secret: string };
  beforeAll(async () => {
    const receiver = await startReceiver();
    const { data } = await ask<{
      data: { createWebhookEndpoint: { secret: string; endpoint: { id: string } } };
    }>('/graphql', {
      query: 'mutation ($url: String!) { createWebhookEndpoint(url: $url) { secret endpoint { id } } }',
      variables: { url: receiver.url },
    });
    const { secret, endpoint } = data.createWebhookEndpoint;
    await ask('/graphql', {
      query: `mutation ($id: ID!) { sendTestWebhook(endpointId: $id, type: "subscription.created") { id } }`,
      variables: { id: endpoint.id },
    });
    const [first] = await vi.waitFor(() => {
      expect(receiver.received).toHaveLength(1);
      return receiver.received;
    }, 20_000);
    await receiver.close();
    const signature = String(first?.headers['x-webhook-signature']);
    webhook = { body: String(first?.body), headers: { 'x-webhook-signature': signature }, secret };
  });

  it("with Stripe's library", async () => {
    const { verify } = (await import(/* @vite-ignore */ join(work, 'stripe-verify.mjs'))) as {
      verify(body: string, headers: Record<string, string>): { event: string };
    };
    vi.stubEnv('DUES_WEBHOOK_SECRET', webhook.secret);
    expect(verify(webhook.body, webhook.headers).event).toBe('subscription.created');
    expect(() => verify(`${webhook.body} `, webhook.headers)).toThrow('signature');
    vi.unstubAllEnvs();
  });

  it('has a row for each of the six languages', () => {
    expect(receivers.map(({ file }) => file)).toEqual(
      blocksOf(page).flatMap(({ title }) => (/^\w+\.\w+$/.test(title) ? [title] : [])),
    );
    expect(receivers).toHaveLength(6);
  });

  it.each(receivers.filter(({ language }) => canRun(language)))('$language', async ({ file, command }) => {
    const port = String(await freePort());
    const code = blocksOf(page).find(({ title }) => title === file)?.code ?? '';
    await writeFile(join(work, file), code);
    const program = spawn('sh', ['-c', `exec ${command}`], {
      cwd: work,
      env: { ...env, PORT: port, DUES_WEBHOOK_SECRET: webhook.secret },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Some commands start another program, which ends with the process group.
      detached: true,
    });
    let printed = '';
    for (const stream of [program.stdout, program.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body });
    const { body, headers, secret } = webhook;
    const signedHeaders = (ageSeconds: number, secrets: readonly string[]) =>
      signatureHeaders({
        id: 'x',
        timestampSeconds: Math.floor(Date.now() / 1000) - ageSeconds,
        body,
        secrets,
      });
    try {
      const accepted = await vi.waitFor(() => post(headers, body), 30_000);
      expect([accepted.status, await accepted.json()]).toEqual([200, { received: true }]);
      await vi.waitFor(() => expect(printed).toContain('subscription.created'), SOON);
      expect((await post(headers, body.replace('created', 'resumed'))).status).toBe(401);
      expect((await post({}, body)).status).toBe(401);
      expect((await post(signedHeaders(400, [secret]), body)).status).toBe(401);
      expect((await post(signedHeaders(0, ['whsec_other']), body)).status).toBe(401);
      // During a rotation of the secret, a webhook has two signatures.
      expect((await post(signedHeaders(0, ['whsec_new', secret]), body)).status).toBe(200);
    } catch (error) {
      throw new Error(`${file} printed:\n${printed}`, { cause: error });
    } finally {
      const exited = once(program, 'exit');
      if (program.pid !== undefined && program.exitCode === null) process.kill(-program.pid);
      await exited;
    }
  });
});

/** Whether this machine can run a language's receiver. */
function canRun(language: string): boolean {
  const probes: Record<string, string[]> = {
    TypeScript: [process.execPath, '--version'],
    Python: ['python3', '--version'],
    Go: ['go', 'version'],
    PHP: ['php', '--version'],
    Ruby: ['ruby', '-rwebrick', '-e', '1'],
    // Java compiles the file first.
    Java: ['javac', '-version'],
  };
  const [command = 'false', ...args] = probes[language] ?? [];
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
