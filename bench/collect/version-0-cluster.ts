import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const INVALID_PARAMS = -32602;
/** The first byte of a transaction with a version 1 message. */
const VERSION_1 = 0x81;

/** Starts a proxy to the cluster at `rpcUrl` that refuses version 1 messages, like older nodes. */
export async function startVersion0Cluster(rpcUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = { 'content-type': 'application/json' };
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    const isVersion1 =
      (method === 'simulateTransaction' || method === 'sendTransaction') &&
      Buffer.from(String(params[0]), 'base64')[0] === VERSION_1;
    if (isVersion1) {
      const error = { code: INVALID_PARAMS, message: 'failed to deserialize VersionedTransaction' };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return;
    }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
