// The API in a separate process, for `main.ts`: the code of `dues api`, without a cluster. It
// reports its memory and the delays of its event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';

const POLL_INTERVAL_MS = 50;

/** The figures since the last report. */
export interface ServerReport {
  /** Maximum resident memory. */
  readonly mostBytes: number;
  /** The longest delay of the event loop. */
  readonly longestPauseMs: number;
  /** Processor time used, in seconds. */
  readonly cpuSeconds: number;
}

process.once('message', async (config: Config) => {
  const app = await createApp(config, 'api');
  const api = await startApi(app.ctx);
  const loop = monitorEventLoopDelay({ resolution: 2 });
  loop.enable();
  let mostBytes = 0;
  const readMemory = () => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  };
  let cpuBefore = process.cpuUsage();
  setInterval(readMemory, POLL_INTERVAL_MS).unref();
  process.on('message', () => {
    readMemory();
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuSeconds = (user + system) / 1_000_000;
    process.send?.({ mostBytes, longestPauseMs: loop.max / 1_000_000, cpuSeconds } satisfies ServerReport);
    mostBytes = 0;
    cpuBefore = process.cpuUsage();
    loop.reset();
  });
  process.once('disconnect', async () => {
    await api.close();
    await app.close();
    process.exit();
  });
  process.send?.({ url: api.url });
});
