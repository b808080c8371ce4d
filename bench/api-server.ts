// The API in a process of its own, for `api.ts`: what `dues api` runs, without a network.
import { createApp } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { startApi } from '../src/http/server.ts';

process.once('message', async (config: Config) => {
  const app = await createApp(config);
  const api = await startApi(app.ctx);
  process.send?.({ url: api.url });
  process.once('disconnect', async () => {
    await api.close();
    await app.close();
  });
});
