// The baseline of the state bench: the same responses with `node:http`, `pg` and a minimum of code. It looks
// up the key in the statement that reads the state, counts no requests, and checks no input.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import type { Config } from '../../src/config.ts';
import { hashApiKey } from '../../src/secrets.ts';

const FROM = `
  FROM "ApiKey" k JOIN "CustomerState" s ON s."merchantId" = k."merchantId" AND s."environment" = k."environment"
  WHERE k."hash" = $1 AND k."revokedAt" IS NULL AND s."customerId" = $2`;
const VERSION = `SELECT s."version" ${FROM}`;
const STATE = `SELECT s."version", s."document", s."changesAt", (
  SELECT jsonb_build_object('slot', "slot"::text, 'mirrorBehindSeconds', floor(extract(epoch FROM now() - "heardAt")))
  FROM "StreamPosition" p WHERE p."environment" = k."environment") AS "asOf" ${FROM}`;

process.once('message', async ({ databaseUrl, secretKey }: Config) => {
  const pool = new Pool({ connectionString: databaseUrl });

  async function read(name: string, text: string, { headers, url = '' }: IncomingMessage) {
    const key = hashApiKey(secretKey, headers.authorization?.slice('Bearer '.length) ?? '');
    const customerId = decodeURIComponent(url.split('/')[3] ?? '');
    const { rows } = await pool.query({ name, text, values: [key, customerId] });
    return { customerId, row: rows[0] };
  }

  const server = createServer(async (request, response) => {
    const tag = request.headers['if-none-match'];
    if (tag !== undefined) {
      const { row } = await read('version', VERSION, request);
      if (`"${row.version}"` === tag) return void response.writeHead(304, { etag: tag }).end();
    }
    const { customerId, row } = await read('state', STATE, request);
    const { hasAccess, features, subscriptions } = row.document;
    const text = JSON.stringify({
      customerId,
      hasAccess,
      features,
      subscriptions,
      version: row.version,
      validUntil: row.changesAt?.toISOString() ?? null,
      asOf: row.asOf ?? { slot: null, mirrorBehindSeconds: null },
    });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      etag: `"${row.version}"`,
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  process.once('disconnect', async () => {
    server.close();
    server.closeAllConnections();
    await pool.end();
  });
});
