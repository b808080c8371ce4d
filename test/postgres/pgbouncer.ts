import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { vi } from 'vitest';
import { freePort } from '../../src/postgres/free-port.ts';
import { findProgram } from '../../tools/find-program.ts';
import { SOON } from '../support/soon.ts';

/** The number of server connections that all clients share. */
const POOL_SIZE = 2;
const NOBODY = 65_534;

/** The path of PgBouncer on this machine, or undefined. */
export const findPgbouncer = () => findProgram('pgbouncer');

/** Starts a PgBouncer in transaction mode in front of a database. */
export async function startPgbouncer(binary: string, databaseUrl: string) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'dues-pgbouncer-'));
  await chmod(folder, 0o755);
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 200
`,
    { mode: 0o644 },
  );
  // PgBouncer refuses to run as root.
  const asNobody = userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const server = spawn(binary, [file], { ...asNobody, stdio: 'ignore' });
  const url = new URL(databaseUrl);
  url.port = String(listenPort);
  await vi.waitFor(async () => {
    const client = new Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
  }, SOON);
  return {
    url: url.href,
    database: pathname.slice(1),
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      const killTimer = setTimeout(() => server.kill('SIGKILL'), 2_000);
      await exited;
      clearTimeout(killTimer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
