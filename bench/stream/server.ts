// The indexer in a separate process. Optionally the API runs beside it, with the relay of events or
// with the whole worker.
import { startIndexer } from '../../indexer/main.ts';
import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { startWorker } from '../../workers/main.ts';

export interface StreamServerRequest {
  readonly config: Config;
  readonly live: boolean;
  /** Whether the whole worker runs, not only the relay. */
  readonly worker?: boolean;
}

process.once('message', async ({ config, live, worker = false }: StreamServerRequest) => {
  const app = await createApp(config);
  const closing: (() => Promise<void>)[] = [];
  let url = '';
  if (live) {
    const api = await startApi(app.ctx);
    const workers = worker
      ? await startWorker(app.ctx)
      : await startWorkers(app.ctx, { 'events.relay': (ctx) => relayEvents(ctx) });
    closing.push(
      () => api.close(),
      async () => workers.close(),
    );
    url = api.url;
  }
  const indexer = await startIndexer(app.ctx);
  closing.unshift(() => indexer.close());
  process.send?.({ url });
  process.on('message', () => {
    globalThis.gc?.();
    process.send?.({ residentBytes: process.memoryUsage.rss() });
  });
  process.once('disconnect', async () => {
    for (const close of closing) await close();
    await app.close();
  });
});
