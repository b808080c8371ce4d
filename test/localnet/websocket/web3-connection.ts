import { type EventEmitter, once } from 'node:events';
import { Connection } from '@solana/web3.js';
import { onTestFinished } from 'vitest';

/** Where nothing listens, for tests that have no HTTP side. */
const NOWHERE = 'http://127.0.0.1:9';

/** A connection of @solana/web3.js that ends with the test. Open it after the server, so that it is closed before. */
export function web3Connection(webSocketUrl: string, rpcUrl = NOWHERE): Connection {
  const connection = new Connection(rpcUrl, { wsEndpoint: webSocketUrl, commitment: 'confirmed' });
  // The library offers no way to close its socket, and tries for ever to reach a server that is gone.
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
