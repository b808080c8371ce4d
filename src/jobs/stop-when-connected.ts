import type { BackendFactory, IQueueBackend, RedisClient } from 'bullmq';

/**
 * Lets a worker stop whose blocking connection is broken and about to be made again. To stop, a worker
 * of BullMQ 6.7 closes that connection and waits for its end, which never comes while the connection
 * waits for its next attempt. So it is closed once it is made.
 */
export function stopWhenConnected<B extends IQueueBackend, C>(
  createBackend: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (...args) => {
    const backend: IQueueBackend & { readonly blockingClient?: Promise<RedisClient> | undefined } =
      createBackend(...args);
    const disconnect = backend.disconnectBlocking.bind(backend);
    backend.disconnectBlocking = async (waits) => {
      const client = await backend.blockingClient;
      if (client?.status === 'close' || client?.status === 'reconnecting') await untilConnected(client);
      await disconnect(waits);
    };
    return backend as B;
  };
}

function untilConnected(client: RedisClient): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve());
    client.once('end', () => resolve());
  });
}
