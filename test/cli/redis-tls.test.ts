/** A Redis that accepts only TLS, with a certificate of a private authority. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { freePort } from '../../src/postgres/free-port.ts';
import { findRedisServer } from '../../tools/redis-server.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { PASSWORD, startServer } from '../jobs/redis-nodes.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { newAuthority, newCertificate } from '../webhooks/post/certificates.ts';

const binary = findRedisServer() as string;
if (!binary) console.warn('SKIPPED: TLS to Redis: no redis-server on this machine');

async function startTlsRedis(closing: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'dues-tls-'));
  closing.defer(() => rm(folder, { recursive: true }));
  const authority = newAuthority('dues test');
  const { cert, key } = newCertificate({ host: 'localhost', issuer: authority });
  const [caFile, certFile, keyFile] = ['ca.pem', 'redis.pem', 'redis.key'].map((name) => join(folder, name));
  await writeFile(caFile as string, authority.cert);
  await writeFile(certFile as string, cert);
  await writeFile(keyFile as string, key);
  const tlsPort = await freePort();
  const server = await startServer(binary, [
    `tls-port ${tlsPort}`,
    `tls-cert-file ${certFile}`,
    `tls-key-file ${keyFile}`,
    `tls-ca-cert-file ${caFile}`,
    'tls-auth-clients no',
    `requirepass ${PASSWORD}`,
  ]);
  closing.defer(() => server.stop());
  return { tlsPort, caFile };
}

describe.runIf(binary)('Redis by TLS', () => {
  it('is used when its certificate is trusted, and refused when it is not', async () => {
    await using closing = new AsyncDisposableStack();
    const { tlsPort, caFile } = await startTlsRedis(closing);
    const database = await cloneDatabase(inject('templateDatabaseUrl'));
    closing.defer(() => database.drop());
    const REDIS_URL = `rediss://:${PASSWORD}@localhost:${tlsPort}`;
    const env = { DATABASE_URL: database.url, REDIS_URL };

    const trusted = await runDues(['queues'], { ...env, NODE_EXTRA_CA_CERTS: caFile });
    expect(trusted.stderr).toBe('');
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toContain('payments.collect');

    const untrusted = await runDues(['queues'], env);
    expect(untrusted.code).not.toBe(0);
    expect(untrusted.stderr).toMatch(/rediss:\/\/localhost:\d+ cannot be used \(REDIS_URL\): .*certificate/);
    expect(untrusted.stderr).not.toContain(PASSWORD);

    const plain = await runDues(['queues'], { ...env, REDIS_URL: REDIS_URL.replace('rediss', 'redis') });
    expect(plain.code).not.toBe(0);
    expect(plain.stderr).toContain('cannot be used (REDIS_URL)');
  });
});
