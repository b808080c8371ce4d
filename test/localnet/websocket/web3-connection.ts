import { type EventEmitter, once } from 'node:events';
import { Connection } from '@solana/web3.js';
import { onTestFinished } from 'vitest';

/** A URL without a server, for tests without HTTP. */
const UNUSED_URL = 'http://127.0.0.1:9';

/**
 * A connection of @solana/web3.js that ends with the test. Open it after the server, so that it
 * closes first.
 */
export function web3Connection(webSocketUrl: string, rpcUrl = UNUSED_URL): Connection {
  const connection = new Connection(rpcUrl, { wsEndpoint: webSocketUrl, commitment: 'confirmed' });
  // The library cannot close its socket, and reconnects forever after the server has stopped.
  const { _rpcWebSocket: socket } = connection as unknown as {
    _rpcWebSocket: EventEmitter & { ready: boolean; close(): void };
  };
  onTestFinished(async () => {
    if (!socket.ready) return;
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  });
  return connection;
}
