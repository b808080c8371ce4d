import type { Redis } from 'ioredis';
import type { Outage } from '../outage.ts';

/** Has the outage tell when the connection breaks and when it stands again; ioredis itself tells every try. */
export function watchConnection(redis: Redis, outage: Outage): void {
  redis.on('error', (error) => outage.begin(error));
  redis.on('close', () => outage.begin('the connection was closed'));
  redis.on('ready', () => outage.end());
}

/** Ends it in order where it stands, else at once: a farewell would wait until Redis is back. */
export async function endConnection(redis: Redis): Promise<void> {
  const stands = redis.status === 'ready';
  redis.removeAllListeners('close');
  if (stands) await redis.quit();
  else redis.disconnect();
}
