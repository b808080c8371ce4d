import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import type { Config } from '../../src/config.ts';
import { hashApiKey } from '../../src/secrets.ts';

/** What a handler by hand needs of a request. */
export interface ByHand {
  readonly pool: Pool;
  readonly request: IncomingMessage;
  /** The hash of the key that was sent. */
  readonly key: Uint8Array;
}

/**
 * Answers requests in this process, with `node:http` and `pg` and nothing else, until the bench that started it
 * disconnects. `startByHand` sends the configuration, and gets the URL.
 */
export function answerByHand(answer: (by: ByHand, response: ServerResponse) => Promise<void>): void {
  process.once('message', ({ databaseUrl, secretKey }: Config) => {
    const pool = new Pool({ connectionString: databaseUrl });
    const server = createServer((request, response) => {
      const sent = request.headers.authorization?.slice('Bearer '.length) ?? '';
      return answer({ pool, request, key: hashApiKey(secretKey, sent) }, response);
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
}

/** Answers with 200 and JSON. */
export function answerJson(
  response: ServerResponse,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
