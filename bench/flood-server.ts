// The API in a separate process, for `flood.ts`: the code of `dues api`, without a cluster. It
// reports its memory.

import { startApi } from '../src/api/server/server.ts';
import { createApp } from '../src/app.ts';
import type { Config } from '../src/config.ts';

const LOOK_EVERY_MS = 50;

process.once('message', async (config: Config) => {
  const app = await createApp(config, 'api');
  const api = await startApi(app.ctx);
  let mostBytes = 0;
  const look = () => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  process.on('message', () => {
    look();
    process.send?.({ mostBytes });
    mostBytes = 0;
  });
  process.once('disconnect', async () => {
    await api.close();
    await app.close();
    process.exit();
  });
  process.send?.({ url: api.url });
});
