import { once } from 'node:events';
import { WebSocket } from 'ws';

const QUERY =
  'subscription($after: String) { events(after: $after) { cursor id type createdAt sequence data } }';

/** A minimal graphql-ws connection that subscribes to a merchant's events. */
export interface LiveSocket {
  /** Resolves with the arrival time of the next event, as a time of `performance.now()`. */
  next(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a socket, and waits for the first event after the cursor: then it is subscribed. */
export async function openLiveSocket(url: string, apiKey: string, after: string): Promise<LiveSocket> {
  const socket = new WebSocket(url, 'graphql-transport-ws');
  let nextArrival = Promise.withResolvers<number>();
  socket.on('error', (err) => nextArrival.reject(err));
  socket.on('close', (code, reason) => nextArrival.reject(new Error(`closed: ${code} ${reason}`)));
  socket.on('message', (data) => {
    const at = performance.now();
    const { type, payload } = JSON.parse(String(data));
    if (type === 'connection_ack') {
      socket.send(
        JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables: { after } } }),
      );
    } else if (type === 'next' && payload.data) {
      nextArrival.resolve(at);
    } else {
      nextArrival.reject(new Error(`not an event: ${data}`));
    }
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${apiKey}` } }));
  await nextArrival.promise;
  nextArrival = Promise.withResolvers();
  return {
    async next() {
      const at = await nextArrival.promise;
      nextArrival = Promise.withResolvers();
      return at;
    },
    async close() {
      socket.removeAllListeners('close');
      // No caller waits for the next event any more.
      nextArrival.promise.catch(() => undefined);
      socket.terminate();
    },
  };
}
