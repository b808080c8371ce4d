import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Network } from './network.ts';
import { type ListenOptions, listen, type RunningServer } from './server.ts';
import { Connection } from './websocket/connection.ts';
import { Subscriptions } from './websocket/subscriptions.ts';

/** Close code of RFC 6455 for a server that shuts down. */
const GOING_AWAY = 1001;
/** A cluster has the same limit on its WebSocket port. */
const MAX_REQUEST_BYTES = 4096;
const DEFAULT_MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

export interface WebSocketOptions extends ListenOptions {
  /** Maximum unread bytes of a client. Beyond it the client is disconnected. Default 16 MiB. */
  readonly maxBufferedBytes?: number;
}

/**
 * Solana's subscriptions over WebSocket, at any path: account, program, signature, logs, slot and
 * root. Methods that a cluster does not document or that are unstable (blocks, votes, slot updates)
 * are missing.
 *
 * @throws PortInUse
 */
export async function startWebSocketServer(
  network: Network,
  options: WebSocketOptions,
): Promise<RunningServer> {
  const { maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = options;
  const server = createServer((_request, response) => {
    response.writeHead(426, { connection: 'Upgrade', upgrade: 'websocket', 'content-type': 'text/plain' });
    response.end('This port accepts only WebSocket connections.\n');
  });
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES });
  const subscriptions = new Subscriptions(network);
  server.on('upgrade', (request, socket, head) => {
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      new Connection(webSocket, network, subscriptions, { maxBufferedBytes });
    });
  });
  const stopFaults = network.faults.onStreamFault(({ cut, end }) => {
    for (const client of webSockets.clients) {
      if (cut) client.terminate();
      else if (end) client.close(GOING_AWAY);
    }
  });
  const close = async (): Promise<void> => {
    stopFaults();
    subscriptions.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    for (const client of webSockets.clients) client.terminate();
    await closed;
  };
  try {
    return { port: await listen(server, options), close };
  } catch (error) {
    stopFaults();
    subscriptions.close();
    throw error;
  }
}
