// Debian's PostgreSQL and Redis with the commands of compose.yaml.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { freePort } from '../../src/postgres/free-port.ts';
import { runSql } from '../../tools/run-sql.ts';
import { storeCommand } from './compose-file.ts';

const run = promisify(execFile);
const STARTS_WITHIN_MS = 30_000;
const VERSIONS = '/usr/lib/postgresql';

/** A server that was started here. */
export interface Store {
  readonly port: number;
  stop(): Promise<void>;
}

/** Debian's newest PostgreSQL. @throws if it is not installed */
export async function postgresFolder(): Promise<string> {
  const versions = (await readdir(VERSIONS).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  if (!versions[0]) throw new Error('no PostgreSQL from Debian: apt-get install postgresql');
  return join(VERSIONS, versions[0], 'bin');
}

/** PostgreSQL refuses to run as root. */
export async function postgresUser(): Promise<{ uid?: number; gid?: number }> {
  if (userInfo().uid !== 0) return {};
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** @param folder an empty folder that every user may enter */
export async function startDebianPostgres(folder: string, passwordFile: string): Promise<Store> {
  const bin = await postgresFolder();
  const user = await postgresUser();
  const data = join(folder, 'postgres');
  const password = join(folder, 'postgres-password');
  await copyFile(passwordFile, password);
  await mkdir(data);
  if (user.uid !== undefined) await run('chown', [`${user.uid}:${user.gid}`, data, password]);
  await chmod(password, 0o400);
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'dues', '--auth=scram-sha-256', `--pwfile=${password}`], {
    ...user,
    cwd: folder,
  });
  const port = await freePort();
  const [, ...flags] = await storeCommand('postgres');
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', data, '-c', 'listen_addresses=127.0.0.1', ...flags],
    { ...user, cwd: folder, stdio: 'ignore', detached: true },
  );
  const url = new URL(`postgresql://dues@127.0.0.1:${port}/postgres`);
  url.password = await readFile(passwordFile, 'utf8');
  await retry(() => runSql(url.href, 'CREATE DATABASE dues'));
  return { port, stop: () => stopProcess(server, 'SIGINT') };
}

/** @param secrets the folder that is /run/dues in the containers */
export async function startDebianRedis(folder: string, secrets: string, password: string): Promise<Store> {
  const port = await freePort();
  const data = join(folder, 'redis');
  await mkdir(data);
  const [binary = '', ...flags] = (await storeCommand('redis')).map((each) =>
    each.replace('/run/dues', secrets),
  );
  const server = spawn(binary, [...flags, '--port', String(port), '--bind', '127.0.0.1', '--dir', data], {
    stdio: 'ignore',
    detached: true,
  });
  const probe = new Redis(`redis://:${password}@127.0.0.1:${port}`);
  probe.on('error', () => undefined);
  await probe.ping();
  await probe.quit();
  return { port, stop: () => stopProcess(server, 'SIGTERM') };
}

async function retry(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(100);
    }
  }
}

async function stopProcess(server: ReturnType<typeof spawn>, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}
