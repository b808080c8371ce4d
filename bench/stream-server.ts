// The indexer, and with it the API and the relay of events where they are wanted, in a process of their own.
import { startIndexer } from '../indexer/main.ts';
import { createApp } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { relayEvents } from '../src/domain/event/relay-events.ts';
import { startApi } from '../src/http/server.ts';
import { startWorkers } from '../src/jobs/worker.ts';

export interface StreamServerRequest {
  readonly config: Config;
  readonly live: boolean;
}

process.once('message', async ({ config, live }: StreamServerRequest) => {
  const app = await createApp(config);
  const closing: (() => Promise<void>)[] = [];
  let url = '';
  if (live) {
    const api = await startApi(app.ctx);
    const workers = await startWorkers(app.ctx, { 'events.relay': (ctx) => relayEvents(ctx) });
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
