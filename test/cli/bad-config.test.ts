import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { type CommandResult, runDues } from '../../tools/world/dues-process.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { createEmptyDatabase } from '../postgres/databases.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

/** A closed port, which only root may open. */
const DEAD = '127.0.0.1:9';
const PASSWORD = 'correct-horse-battery';

const network = await sharedByFile(startNetwork({ slotMs: 100 }));
const database = await cloneDatabase(inject('templateDatabaseUrl'));
const empty = await createEmptyDatabase(inject('templateDatabaseUrl'));
const busyServer = createServer().listen(0, '127.0.0.1');
await once(busyServer, 'listening');
/** A server that answers 401 to every request. */
const refuser = createHttpServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
await once(refuser, 'listening');
const refuserUrl = `http://127.0.0.1:${(refuser.address() as { port: number }).port}`;
const folder = await mkdtemp(join(tmpdir(), 'dues-cli-'));
const validEnv = roleVariables(database.url, network);
afterAll(async () => {
  busyServer.close();
  refuser.close();
  await rm(folder, { recursive: true });
  await Promise.all([database.drop(), empty.drop()]);
});

function expectOneMessage({ code, stderr }: CommandResult): void {
  expect(stderr).toMatch(/^(dues [a-z ]+|error): /);
  expect(stderr).not.toMatch(/^\s+at /m);
  // Wrong usage has another exit code than failed work.
  expect(code).toBe(stderr.startsWith('error: ') ? 2 : 1);
}

describe('dues reports in one message', () => {
  it('all invalid variables at once', async () => {
    const ended = await runDues(['worker'], {
      ...validEnv,
      DATABASE_URL: `mysql://dues:${PASSWORD}@localhost/dues`,
      REDIS_URL: `http://:${PASSWORD}@localhost`,
      SECRET_KEY: PASSWORD,
      PORT: 'eighty',
      CLOCK: 'sundial',
      TEST_RPC_URL: '',
      TEST_COLLECTOR_KEY: `[1, 2, "${PASSWORD}"]`,
    });
    expectOneMessage(ended);
    for (const name of [
      'DATABASE_URL',
      'REDIS_URL',
      'SECRET_KEY',
      'PORT',
      'CLOCK',
      'TEST_RPC_URL is missing',
      'TEST_COLLECTOR_KEY',
    ]) {
      expect(ended.stderr).toContain(name);
    }
    expect(ended.stderr + ended.stdout).not.toContain(PASSWORD);
  });

  it('a variable that is probably misspelt, without its value', async () => {
    const ended = await runDues(['worker'], { ...validEnv, PORT: 'eighty', TRUSTED_PROXYS: PASSWORD });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('TRUSTED_PROXYS');
    expect(ended.stderr).toContain('did you mean TRUSTED_PROXIES?');
    expect(ended.stderr).not.toContain(PASSWORD);
  });

  it('a database that cannot be reached', async () => {
    const ended = await runDues(['api'], {
      ...validEnv,
      DATABASE_URL: `postgresql://dues:${PASSWORD}@${DEAD}/dues`,
    });
    expectOneMessage(ended);
    expect(ended.stderr).toContain('database');
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).not.toContain(PASSWORD);
  });

  it.each(['migrate', 'worker'])('a database that refuses the password: dues %s', async (command) => {
    const url = new URL(database.url);
    url.password = PASSWORD;
    const ended = await runDues([command], { ...validEnv, DATABASE_URL: url.href });
    expectOneMessage(ended);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).not.toContain(PASSWORD);
  });

  it('a database without the schema', async () => {
    const ended = await runDues(['worker'], { ...validEnv, DATABASE_URL: empty.url });
    expectOneMessage(ended);
    expect(ended.stderr).toMatch(/lacks the migration 2026\w+ and \d+ later migrations: run `dues migrate`/);
  });

  it('a cluster that refuses the key in its URL', async () => {
    const ended = await runDues(['indexer'], { ...validEnv, TEST_RPC_URL: `${refuserUrl}/${PASSWORD}` });
    expectOneMessage(ended);
    expect(ended.stderr).toContain('TEST cluster');
    expect(ended.stderr).not.toContain(PASSWORD);
  });

  it('a Redis that cannot be reached', async () => {
    const ended = await runDues(['worker'], { ...validEnv, REDIS_URL: `redis://:${PASSWORD}@${DEAD}` });
    expectOneMessage(ended);
    expect(ended.stderr).toContain('Redis at redis://127.0.0.1:9 cannot be used (REDIS_URL)');
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).not.toContain(PASSWORD);
  });

  it('a database that does not exist', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    const ended = await runDues(['api'], { ...validEnv, DATABASE_URL: url.href });
    expectOneMessage(ended);
    expect(ended.stderr).toContain('database "nowhere" does not exist. Create it with `createdb`');
    expect(ended.stderr).not.toContain('prisma');
  });

  it('an address that is not a mint', async () => {
    const wallet = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44';
    const ended = await runDues(['api'], { ...validEnv, TEST_USDC_MINT: wallet });
    expectOneMessage(ended);
    expect(ended.stderr).toContain(wallet);
    expect(ended.stderr).toContain('TEST_USDC_MINT');
  });

  it('a key for an environment that is not configured', async () => {
    const wallet = ['--wallet', 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44'];
    const ended = await runDues(['keys', 'create', '--environment', 'live', ...wallet], validEnv);
    expectOneMessage(ended);
    expect(ended.stderr).toContain('LIVE_RPC_URL');
  });

  it.each([
    ['--wallet', ['--wallet', 'nonsense'], 'Not a Solana address'],
    ['--scopes', ['--scopes', 'read,everything'], 'Scopes are read, write, checkout'],
    ['--expires', ['--expires', 'soon'], 'Not a time'],
    ['a time in the past', ['--expires', '2020-01-01T00:00:00Z'], 'expiresAt must be in the future'],
    ['a name that is too long', ['--name', 'x'.repeat(101)], 'name must have 1 to 100 characters'],
  ])('a key that cannot be created: %s', async (_, args, reason) => {
    const wallet = ['--wallet', 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44'];
    const ended = await runDues(['keys', 'create', ...wallet, ...args], validEnv);
    expectOneMessage(ended);
    expect(ended.stderr).toContain(reason);
  });

  it('a port that is in use', async () => {
    const { port } = busyServer.address() as { port: number };
    const ended = await runDues(['api'], { ...validEnv, PORT: String(port) });
    expectOneMessage(ended);
    expect(ended.stderr).toContain(`port ${port} is in use`);
  });

  it('a port for metrics that is in use', async () => {
    const { port } = busyServer.address() as { port: number };
    const ended = await runDues(['api'], { ...validEnv, LOG_LEVEL: 'silent', METRICS_PORT: String(port) });
    expectOneMessage(ended);
    expect(ended.stderr).toMatch(/127\.0\.0\.1:\d+ \(EADDRINUSE\): choose another METRICS_PORT/);
  });

  it('a host that is not an address of this machine', async () => {
    const ended = await runDues(['api'], { ...validEnv, HOST: '192.0.2.1' });
    expectOneMessage(ended);
    expect(ended.stderr).toContain('192.0.2.1');
  });
});

it.each(['test', 'LIVE'])('dues keys create needs neither cluster nor Redis: %s', async (environment) => {
  const { DATABASE_URL, SECRET_KEY } = validEnv;
  const wallet = ['--wallet', 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44'];
  const ended = await runDues(['keys', 'create', '--environment', environment, ...wallet], {
    DATABASE_URL,
    SECRET_KEY,
    REDIS_URL: `redis://${DEAD}`,
  });
  expect(ended.stderr).toMatch(
    new RegExp(
      `^A key for the ${environment.toUpperCase()} environment of .*Unnamed merchant \\(De1eg\\w+\\):\\n$`,
    ),
  );
  expect(ended.stdout).toContain(`sk_${environment.toLowerCase()}_`);
});

it('dues keys create does not rename a merchant, and says so', async () => {
  const wallet = 'So11111111111111111111111111111111111111112';
  const create = (company: string) =>
    runDues(['keys', 'create', '--wallet', wallet, '--company', company], validEnv);
  expect((await create('Acme')).stderr).toMatch(/^A key .* a new merchant, Acme \(So1\w+\):\n$/);
  expect((await create('Other')).stderr).toMatch(/ Acme \(So1\w+\):\nThe merchant keeps its name: /);
});

it('dues migrate needs only the database', async () => {
  const ended = await runDues(['migrate'], { DATABASE_URL: database.url });
  expect(ended.stderr).toBe('');
  expect(ended.stdout).toBe('nothing to apply\n');
});

it('dues travel reports a missing local network', async () => {
  const { port } = busyServer.address() as { port: number };
  const ended = await runDues(['travel', '1d', '--rpc', `http://${DEAD}`]);
  expectOneMessage(ended);
  expect(ended.stderr).toContain('--rpc is the JSON-RPC of a local network');
  const secret = await runDues([
    'travel',
    '1d',
    '--rpc',
    `http://dues:${PASSWORD}@${DEAD}/${PASSWORD}?key=${PASSWORD}`,
  ]);
  expectOneMessage(secret);
  expect(secret.stderr).not.toContain(PASSWORD);
  const refused = await runDues(['travel', 'tomorrow', '--rpc', `http://127.0.0.1:${port}`]);
  expectOneMessage(refused);
  expect(refused.stderr).toContain('Not a duration');
});

it.each(['0d', '00s', '-5d'])('dues travel only moves forward: %s', async (distance) => {
  const refused = await runDues(['travel', distance, '--rpc', network.rpcUrl]);
  expectOneMessage(refused);
  expect(refused.stderr).toContain('must be more than 0');
});

describe('dues localnet reports in one message', () => {
  const localnetWith = (...args: string[]) =>
    runDues(['localnet', '--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0', ...args]);

  it('a missing folder for the state', async () => {
    const ended = await localnetWith('--state', join(folder, 'nowhere', 'state'));
    expectOneMessage(ended);
    expect(ended.stderr).toContain(join(folder, 'nowhere'));
  });

  it.each([
    ['192.0.2.1', 'not an address of this machine'],
    ['no.such.host.invalid', 'host does not exist'],
  ])('the host %s', async (host, reason) => {
    const ended = await localnetWith('--host', host);
    expectOneMessage(ended);
    expect(ended.stderr).toContain(reason);
  });

  it.each([
    ['http://127.0.0.1:33', 'ECONNREFUSED'],
    ['banana', 'Not an http or https URL'],
  ])('cloning from %s', async (url, reason) => {
    const ended = await localnetWith('--clone-from', url);
    expectOneMessage(ended);
    expect(ended.stderr).toContain(url);
    expect(ended.stderr).toContain(reason);
  });

  it('a file that is not a program', async () => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'not an ELF');
    const ended = await localnetWith('--program', file);
    expectOneMessage(ended);
    expect(ended.stderr).toContain(file);
  });
});
