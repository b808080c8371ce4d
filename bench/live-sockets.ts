import { once } from 'node:events';
import { WebSocket } from 'ws';

const QUERY =
  'subscription($after: String) { events(after: $after) { cursor id type createdAt sequence data } }';

/** A graphql-ws connection that follows a merchant's events, as bare as can be. */
export interface LiveSocket {
  /** Resolves with the moment at which the next event has come, by `performance.now()`. */
  next(): Promise<number>;
  close(): Promise<void>;
}

/** Opens it and waits for the first event after the cursor: from then on it is known to listen. */
export async function openLiveSocket(url: string, apiKey: string, after: string): Promise<LiveSocket> {
  const socket = new WebSocket(url, 'graphql-transport-ws');
  let came = Promise.withResolvers<number>();
  socket.on('error', (err) => came.reject(err));
  socket.on('close', (code, reason) => came.reject(new Error(`closed: ${code} ${reason}`)));
  socket.on('message', (data) => {
    const at = performance.now();
    const { type, payload } = JSON.parse(String(data));
    if (type === 'connection_ack') {
      socket.send(
        JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables: { after } } }),
      );
    } else if (type === 'next' && payload.data) {
      came.resolve(at);
    } else {
      came.reject(new Error(`not an event: ${data}`));
    }
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${apiKey}` } }));
  await came.promise;
  came = Promise.withResolvers();
  return {
    async next() {
      const at = await came.promise;
      came = Promise.withResolvers();
      return at;
    },
    async close() {
      socket.removeAllListeners('close');
      // Nobody waits any more.
      came.promise.catch(() => undefined);
      socket.terminate();
    },
  };
}
