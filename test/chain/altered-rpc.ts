import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Starts a proxy of the node at `rpcUrl`, and returns its URL. `alter` may change the responses.
 */
export async function alteredRpc(
  rpcUrl: string,
  alter: (call: RpcCall, result: never, rpcResponse: object) => Promise<void> | void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = { 'content-type': 'application/json' };
    const rpcResponse = (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()) as {
      result: never;
    };
    await alter(JSON.parse(body) as RpcCall, rpcResponse.result, rpcResponse);
    response.writeHead(200, headers).end(JSON.stringify(rpcResponse));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
