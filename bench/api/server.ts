// The API in a separate process, for `main.ts`: the code of `dues api`, without a cluster.

import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';

process.once('message', async (config: Config) => {
  const app = await createApp(config);
  const api = await startApi(app.ctx);
  process.send?.({ url: api.url });
  process.once('disconnect', async () => {
    await api.close();
    await app.close();
  });
});
