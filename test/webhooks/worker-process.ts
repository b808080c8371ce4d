// A worker that only delivers webhooks, in a separate process:
// `node worker-process.ts <settings as JSON>`. Its clock is ahead of the machine's by `aheadMs`. A
// number that is sent to the process changes `aheadMs`.
import { flushCompileCache } from 'node:module';
import { createApp } from '../../src/app.ts';
import { Deliverer } from '../../src/domain/messages/webhook/delivery/deliverer.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { deliverWebhooksJob } from '../../workers/deliver-webhooks.ts';
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
const app = await createApp(
  worldConfig(settings.databaseUrl, {
    redisUrl: settings.redisUrl,
    secretKey: Uint8Array.from(Buffer.from(settings.secretKey, 'base64')),
    webhookHostsAllowed: ['127.0.0.1'],
  }),
);
const ctx = { ...app.ctx, clock: { now: () => new Date(Date.now() + aheadMs) } };
const deliverer = new Deliverer(ctx);
const workers = await startWorkers(ctx, {
  'events.relay': relayEventsJob(deliverer),
  'webhooks.deliver': deliverWebhooksJob(deliverer),
});
process.on('message', (message) => {
  if (typeof message !== 'number') return;
  aheadMs = message;
  deliverer.wake();
});
process.on('SIGTERM', async () => {
  await Promise.all([workers.close(), deliverer.close()]);
  await app.close();
  process.exit();
});
process.send?.('ready');
// A killed process would not write its compile cache. The cache halves the start time of the next.
flushCompileCache();
