import { chmod, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectDb, type Db } from '../../src/db/db.ts';
import { assertDatabaseReachable } from '../../src/postgres/assert-database-reachable.ts';
import { startEmbeddedDatabase } from '../../src/postgres/embedded.ts';
import { runSql } from '../../tools/run-sql.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { newAuthority, newCertificate } from '../webhooks/post/certificates.ts';

/** A PostgreSQL that offers TLS as `localhost`. */
async function startWithTls(closing: AsyncDisposableStack) {
  const folder = await temporaryFolder(closing, 'dues-tls-');
  const database = await startEmbeddedDatabase({ folder: join(folder, 'data'), persistent: false });
  closing.defer(() => database.stop());
  const authority = newAuthority('dues test authority');
  const issued = newCertificate({ host: 'localhost', issuer: authority });
  const { uid, gid } = await stat(database.folder);
  for (const [name, content] of [
    ['server.crt', issued.cert],
    ['server.key', issued.key],
  ] as const) {
    const path = join(database.folder, name);
    await writeFile(path, content);
    await chown(path, uid, gid);
    await chmod(path, 0o600);
  }
  await runSql(database.url, 'ALTER SYSTEM SET ssl = on');
  await runSql(database.url, 'SELECT pg_reload_conf()');
  const [ours, theirs] = [join(folder, 'ca.pem'), join(folder, 'other-ca.pem')];
  await writeFile(ours, authority.cert);
  await writeFile(theirs, newAuthority('another authority').cert);
  const urlWith = (parameters: string, host = 'localhost') =>
    `${database.url.replace('127.0.0.1', host)}?${parameters}`;
  return { urlWith, ours, theirs };
}

/** Whether the connections of a client are encrypted. */
async function isEncrypted(url: string): Promise<boolean> {
  const db: Db = connectDb(url);
  try {
    const [row] = await db.$queryRaw<
      { ssl: boolean }[]
    >`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
    return row?.ssl ?? false;
  } finally {
    await db.$disconnect();
  }
}

it('connects with TLS only to the server and the authority that the URL names', async () => {
  await using closing = new AsyncDisposableStack();
  const { urlWith, ours, theirs } = await startWithTls(closing);
  const full = (authority: string) => `sslmode=verify-full&sslrootcert=${authority}`;

  expect(await isEncrypted(urlWith(full(ours)))).toBe(true);
  // TLS without a check of the server, and no TLS.
  expect(await isEncrypted(urlWith('sslmode=no-verify'))).toBe(true);
  expect(await isEncrypted(urlWith(''))).toBe(false);
  const connect = async (url: string) =>
    assertDatabaseReachable(url).then(
      () => 'connected',
      (error: Error) => error.message,
    );
  const unknownAuthority = /self-signed certificate in certificate chain$/;
  expect(await connect(urlWith(full(theirs)))).toMatch(unknownAuthority);
  expect(await connect(urlWith('sslmode=verify-full'))).toMatch(unknownAuthority);
  expect(await connect(urlWith(full(ours), '127.0.0.1'))).toMatch(/Hostname\/IP does not match/);
});
