import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuesProcess, runDues } from '../../tools/world/dues-process.ts';
import { ANY_PORTS } from '../../tools/world/start-dues.ts';
import { askGraphql } from '../support/ask-graphql.ts';

/** The command that `npx dues` runs. */
const DUES = 'node --disable-warning=ExperimentalWarning bin/dues.ts';

let folder: string;
const processes: DuesProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dues-start-'));
  // If we are root, PostgreSQL runs as another user, who must have access to the folder.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  for (const process of processes) await process.ended('SIGTERM');
  await rm(folder, { recursive: true });
});

function startIn(data: string): DuesProcess {
  const started = new DuesProcess(['start', '--data', join(folder, data), ...ANY_PORTS]);
  processes.push(started);
  return started;
}

async function start() {
  const started = startIn('data');
  const [, url = ''] = await started.printed(/GraphQL\s+(\S+)/);
  const [, key = ''] = await started.printed(/Test key\s+(\S+)/);
  await started.printed(/Ctrl-C/);
  const ask = <T>(query: string) => askGraphql<T>(url, key, query);
  return { started, key, ask };
}

/** Runs a printed line in a shell, as a person would. */
async function runInShell(line: string): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const bin = join(root, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: root, env });
  return stdout;
}

it('dues start runs without configuration, and continues with the same data and key', async () => {
  const first = await start();
  const { plan } = await first.ask<{ plan: { planId: string; status: string } }>(
    '{ plan(planId: "pro-monthly") { planId status } }',
  );
  expect(plan).toEqual({ planId: 'pro-monthly', status: 'ACTIVE' });
  const { createCheckoutSession } = await first.ask<{ createCheckoutSession: { id: string } }>(
    `mutation { createCheckoutSession(input: { planId: "pro-monthly", customerEmail: "a@example.com" }) { id } }`,
  );
  const stopped = await first.started.ended('SIGTERM');
  expect(stopped.stderr).toBe('');
  expect(stopped.code).toBe(0);
  expect(stopped.tookMs).toBeLessThan(10_000);

  const second = await start();
  expect(second.key).toBe(first.key);
  const { checkoutSession } = await second.ask<{ checkoutSession: { status: string } }>(
    `{ checkoutSession(id: "${createCheckoutSession.id}") { status } }`,
  );
  expect(checkoutSession.status).toBe('OPEN');
  expect((await second.started.ended('SIGINT')).code).toBe(0);
});

it('dues start prints commands that work unchanged', async () => {
  const running = startIn('guide');
  await running.printed(/Ctrl-C/);
  const printed = (pattern: RegExp) => running.stdout.match(pattern)?.[0] ?? '';

  const session = JSON.parse(await runInShell(`${printed(/curl .*\/checkout\/create/)} -s`));
  const page = await fetch(session.url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Acme Streaming');

  const subscribe = printed(/npx dues subscribe .*/)
    .replace('npx dues', DUES)
    .replace('<url>', session.url);
  expect(await runInShell(subscribe)).toMatch(/^Subscribed to pro-monthly of Acme Streaming: \w+$/m);

  const audit = printed(/DATABASE_URL=.*audit$/m).replace('npx dues', DUES);
  expect(await runInShell(audit)).toMatch(/Acme Streaming .* 0\.000000$/m);

  const { data } = JSON.parse(await runInShell(`${printed(/curl .*\/graphql$/m)} -s`));
  expect(data.plans.edges[0].node).toMatchObject({ planId: 'pro-monthly', status: 'ACTIVE' });

  const travel = async () =>
    (await runInShell(printed(/npx dues travel .*/).replace('npx dues', DUES))).trim();
  const [first, second] = [await travel(), await travel()].map((text) => Date.parse(text.slice(-25, -1)));
  expect(second).toBeGreaterThanOrEqual((first ?? Number.NaN) + 30 * 86_400_000);

  const wallet = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44';
  const create = printed(/DATABASE_URL=.*keys create.*/)
    .replace('npx dues', DUES)
    .replace('<address>', wallet);
  expect(await runInShell(create)).toMatch(/^sk_test_\S+\n$/);

  const keyFile = JSON.parse(await readFile(join(folder, 'guide', 'collector.key'), 'utf8'));
  expect(keyFile).toHaveLength(64);
  expect((await running.ended('SIGTERM')).code).toBe(0);
});

it('the program of the guide creates a plan with the key of the demo merchant', async () => {
  const running = startIn('plan');
  await running.printed(/Ctrl-C/);
  const printedValue = (pattern: RegExp) => running.stdout.match(pattern)?.[1] ?? '';
  const guide = await readFile(new URL('../../docs/api-graphql.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js create-plan\n([\s\S]*?)```/.exec(guide) ?? [];
  const file = join(folder, 'create-plan.mjs');
  await writeFile(file, code);
  const variables = [
    `DUES_API_KEY=${printedValue(/Test key\s+(\S+)/)}`,
    `DUES_URL=${printedValue(/GraphQL\s+(\S+)\/graphql/)}`,
    `RPC_URL=${printedValue(/Solana\s+(\S+)/)}`,
  ].join(' ');
  const key = join(folder, 'plan', 'demo-merchant.key');
  // The program is read from stdin, so that it resolves packages of this repository.
  const printed = await runInShell(`${variables} node --input-type=module - ${key} < ${file}`);
  expect(printed.trim()).toMatch(/status: 'ACTIVE'/);
  expect((await running.ended('SIGTERM')).code).toBe(0);
});

it('dues start continues after a kill -9, and refuses a folder that is in use', async () => {
  const killed = startIn('killed');
  await killed.printed(/Ctrl-C/);
  const refused = await startIn('killed').ended();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^dues start: dues is already running here \(pid \d+\)/);
  expect(killed.isOver).toBe(false);
  await killed.ended('SIGKILL');

  const next = startIn('killed');
  await next.printed(/Ctrl-C/);
  const ended = await next.ended('SIGTERM');
  expect(ended.stderr).toBe('');
  expect(ended.code).toBe(0);
});

it('dues start names the option that chooses another port of the network', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const ports = ['--port', '0', '--rpc-port', '0', '--ws-port', String(port), '--yellowstone-port', '0'];
  const ended = await runDues(['start', '--data', join(folder, 'taken'), ...ports]);
  taken.close();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`dues start: port ${port} is in use`);
  expect(ended.stderr).toContain('--ws-port');
});

it('dues start refuses an invalid port before it starts anything', async () => {
  const ended = await new DuesProcess(['start', '--data', join(folder, 'none')], { PORT: '70000' }).ended();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('PORT must be a port, 0 to 65535');
  await expect(stat(join(folder, 'none'))).rejects.toThrow('ENOENT');
});

it('dues start refuses a configured cluster without a database', async () => {
  const ended = await runDues(['start', '--data', join(folder, 'none')], {
    LIVE_RPC_URL: 'https://rpc.example',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('DATABASE_URL is missing, and LIVE_ variables are set');
  expect(ended.stdout).toBe('');
});
