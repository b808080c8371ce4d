// The API and the relay of events in a separate process, for `live.ts`: the same code as `dues
// start`, without a cluster.

import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { startWorkers } from '../../src/jobs/worker.ts';

process.once('message', async (config: Config) => {
  const app = await createApp(config);
  const api = await startApi(app.ctx);
  const workers = await startWorkers(app.ctx, { 'events.relay': (ctx) => relayEvents(ctx) });
  process.send?.({ url: api.url });
  process.on('message', () => process.send?.({ residentBytes: process.memoryUsage().rss }));
  process.once('disconnect', async () => {
    await api.close();
    await workers.close();
    await app.close();
  });
});
