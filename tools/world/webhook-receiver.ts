import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { tell } from './story.ts';

export interface Received {
  /** Path of the request. */
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers a request. Default: 200. */
  answer: (response: ServerResponse, request: Received) => void;
  close(): Promise<void>;
}

export const ok = (response: ServerResponse) => response.end('{"received":true}');
export const status =
  (statusCode: number, headers: OutgoingHttpHeaders = {}) =>
  (response: ServerResponse) => {
    response.writeHead(statusCode, headers).end('no');
  };

/** Starts a merchant's server, which keeps all requests. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    receiver.received.push(received);
    tell(`webhook: ${received.body}`);
    receiver.answer(response, received);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: ok,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
