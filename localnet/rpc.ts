import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Network } from './network.ts';
import { dispatch, type Fault } from './rpc/dispatch.ts';
import { toJson } from './rpc/json.ts';
import type { RpcMethods } from './rpc/method.ts';
import { clusterRpcMethods } from './rpc/methods.ts';
import { type ListenOptions, listen, type RunningServer } from './server.ts';
import { type WalletOptions, walletFiles } from './wallet-files.ts';

const MAX_BODY_BYTES = 50 * 1024;
/** Longer than clients keep a connection, so that no request is sent on one that is closing. */
const KEEP_ALIVE_MS = 75_000;
const RETRY_AFTER_SECONDS = '1';
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const CORS_PREFLIGHT = {
  allow: 'OPTIONS, POST',
  accept: 'application/json',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'OPTIONS, POST',
  'access-control-max-age': '86400',
  vary: 'origin',
};

/** The network and the contents that the server serves. */
interface ServedContent {
  readonly network: Network;
  readonly methods: RpcMethods;
  readonly walletFile: ReturnType<typeof walletFiles>;
}

/**
 * Serves the network's JSON-RPC over HTTP, and the wallet for pages. `methods` are added to the
 * methods of a cluster, or replace them.
 */
export async function startRpcServer(
  network: Network,
  options: ListenOptions & { readonly methods?: RpcMethods; readonly wallet?: WalletOptions },
): Promise<RunningServer> {
  const methods = { ...clusterRpcMethods(network), ...options.methods };
  const served = { network, methods, walletFile: walletFiles(options.wallet) };
  const server = createServer((request, response) => {
    serve(served, request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const port = await listen(server, options);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  { network, methods, walletFile }: ServedContent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    if (request.url === '/health') return send(response, 200, TEXT_TYPE, 'ok');
    const file = walletFile(request.url ?? '/', request.headers.origin);
    if (file) {
      // The response depends on the origin of the page.
      response.setHeader('vary', 'origin');
      return send(response, 200, file.type, file.body);
    }
  }
  if (request.method === 'OPTIONS') return answerPreflight(request, response);
  if (request.method !== 'POST') {
    return send(response, 405, TEXT_TYPE, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n');
  }
  if (!isJson(request.headers['content-type'])) {
    return send(
      response,
      415,
      TEXT_TYPE,
      'Supplied content type is not allowed. Content-Type: application/json is required\n',
    );
  }
  const body = await readBody(request);
  if ('problem' in body) {
    if (body.problem === 'disconnected') return;
    response.setHeader('connection', 'close');
    return send(response, 413, TEXT_TYPE, 'Request body is too large\n');
  }
  if (network.faults.countIfDown(nodeOf(request))) return void response.destroy();
  const outcome = await dispatch(network, methods, body.text, nodeOf(request));
  if ('fault' in outcome) sendFault(response, outcome);
  else send(response, 200, JSON_TYPE, outcome.body);
}

/** The node of the cluster that the path names. Nodes differ only in their faults. */
function nodeOf({ url = '/' }: IncomingMessage): string {
  return url.slice(1).split('?', 1)[0] ?? '';
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'access-control-allow-origin': '*',
  });
  // The responses to requests that arrived together leave together: the first of them wakes the
  // client, and the others find it awake.
  setImmediate(() => response.end(body));
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requestedHeaders = request.headers['access-control-request-headers'];
  response.writeHead(200, {
    ...CORS_PREFLIGHT,
    'content-length': 0,
    ...(requestedHeaders && { 'access-control-allow-headers': requestedHeaders }),
  });
  response.end();
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

type Body = { readonly text: string } | { readonly problem: 'too large' | 'disconnected' };

function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve({ problem: 'too large' });
    });
    request.on('end', () => resolve({ text: Buffer.concat(chunks).toString() }));
    request.on('close', () => resolve({ problem: 'disconnected' }));
  });
}

function sendFault(response: ServerResponse, { fault, id }: Fault): void {
  switch (fault) {
    case 'rate-limit': {
      const error = { code: 429, message: 'Too many requests for a specific RPC call' };
      response.setHeader('retry-after', RETRY_AFTER_SECONDS);
      send(response, 429, JSON_TYPE, toJson({ jsonrpc: '2.0', error, id }));
      break;
    }
    case 'rate-limit-inside': {
      const error = { code: 429, message: 'Too many requests, slow down' };
      send(response, 200, JSON_TYPE, toJson({ jsonrpc: '2.0', error, id }));
      break;
    }
    case 'server-error':
      send(response, 500, TEXT_TYPE, 'Internal Server Error\n');
      break;
    case 'disconnect':
      response.destroy();
      break;
    case 'timeout':
      // The connection stays open and silent until the client gives up or the server closes.
      break;
  }
}
