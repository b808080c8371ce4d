// Roles of dues in a separate process, with the code of `dues`. It loads only the modules of its
// roles, because its memory is measured.
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';

type RoleName = 'api' | 'relay' | 'worker' | 'indexer';

/** The first message to the process. It answers with the URL of the API, or an empty one. */
export interface RolesRequest {
  readonly config: Config;
  readonly roles: readonly RoleName[];
}

/** The answer to any later message. */
export interface RolesMemory {
  readonly residentBytes: number;
}

process.once('message', async ({ config, roles }: RolesRequest) => {
  const app = await createApp(config);
  const closing = new AsyncDisposableStack();
  closing.defer(() => app.close());
  let url = '';
  for (const role of roles) {
    if (role === 'api') {
      const { startApi } = await import('../../src/api/server/server.ts');
      const api = await startApi(app.ctx);
      closing.defer(() => api.close());
      url = api.url;
    } else if (role === 'indexer') {
      const { startIndexer } = await import('../../indexer/main.ts');
      const indexer = await startIndexer(app.ctx);
      closing.defer(() => indexer.close());
    } else if (role === 'worker') {
      const { startWorker } = await import('../../workers/main.ts');
      const workers = await startWorker(app.ctx);
      closing.defer(async () => workers.close());
    } else {
      const { relayEvents } = await import('../../src/domain/messages/relay/relay-events.ts');
      const { startWorkers } = await import('../../src/jobs/worker.ts');
      const workers = await startWorkers(app.ctx, { 'events.relay': (ctx) => relayEvents(ctx) });
      closing.defer(async () => workers.close());
    }
  }
  process.send?.({ url });
  process.on('message', (question) => {
    if (question === 'memory in use') globalThis.gc?.();
    process.send?.({ residentBytes: process.memoryUsage.rss() } satisfies RolesMemory);
  });
  process.once('disconnect', () => closing.disposeAsync());
});
