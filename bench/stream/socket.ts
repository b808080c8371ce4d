import { once } from 'node:events';
import type { Address } from '@solana/kit';
import { WebSocket } from 'ws';

const QUERY = 'subscription { subscriptionUpdated { id status } }';

export interface Arrival {
  readonly address: Address;
  /** Wall-clock time, because it is compared with that of another process. */
  readonly at: number;
}

/** A graphql-ws connection that receives every change of a merchant's subscriptions. */
export async function watchStatuses(url: string, apiKey: string) {
  const socket = new WebSocket(url, 'graphql-transport-ws');
  const subscribed = Promise.withResolvers<void>();
  let arrivals: Arrival[] = [];
  let wake = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const at = Date.now();
    const { type, payload } = JSON.parse(String(data));
    if (type === 'connection_ack') {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY } }));
      subscribed.resolve();
    } else if (type === 'next' && payload.data) {
      arrivals.push({ address: payload.data.subscriptionUpdated.id, at });
      wake.resolve();
    } else if (type !== 'ping') subscribed.reject(new Error(`not an update: ${data}`));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${apiKey}` } }));
  await subscribed.promise;
  return {
    /** Waits until `count` updates have arrived. */
    async receive(count: number): Promise<readonly Arrival[]> {
      while (arrivals.length < count) {
        await wake.promise;
        wake = Promise.withResolvers();
      }
      return arrivals;
    },
    clear(): void {
      arrivals = [];
    },
    async close(): Promise<void> {
      socket.terminate();
    },
  };
}
