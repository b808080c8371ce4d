// A worker that does nothing but webhooks, in a process of its own: `node worker-process.ts <settings as JSON>`. Its clock
// runs ahead of the machine's by `aheadMs`; a number sent to it changes by how much.
import { flushCompileCache } from 'node:module';
import { createApp } from '../../src/app.ts';
import { DeliveryLoop } from '../../src/domain/webhook/delivery/delivery-loop.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { relayEventsJob } from '../../workers/relay-events.ts';

export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
  /** Base64. */
  readonly secretKey: string;
  readonly aheadMs: number;
}

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;
let { aheadMs } = settings;
const app = await createApp({
  databaseUrl: settings.databaseUrl,
  redisUrl: settings.redisUrl,
  secretKey: Uint8Array.from(Buffer.from(settings.secretKey, 'base64')),
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'http://127.0.0.1',
  logLevel: 'error',
  clock: 'system',
  webhookHostsAllowed: ['127.0.0.1'],
  trustedProxies: [],
  clusters: {},
});
const ctx = { ...app.ctx, clock: { now: () => new Date(Date.now() + aheadMs) } };
const deliveries = new DeliveryLoop(ctx);
const workers = await startWorkers(ctx, { 'events.relay': relayEventsJob(deliveries) });
process.on('message', (message) => {
  if (typeof message !== 'number') return;
  aheadMs = message;
  deliveries.wake();
});
process.on('SIGTERM', async () => {
  await Promise.all([workers.close(), deliveries.close()]);
  await app.close();
  process.exit();
});
process.send?.('ready');
// Whoever is killed could not leave what it has compiled to the next, which starts in half the time with it.
flushCompileCache();
