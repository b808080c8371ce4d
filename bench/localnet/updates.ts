import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChainStream, openStream } from '../../src/chain/rpc/yellowstone.ts';
import { createAddress } from '../../tools/world/seed-subscriptions.ts';
import { ask, forkNetwork, stop } from '../lib/child-process.ts';
import type { Measured } from '../lib/figures.ts';
import type { OwnProcessorTime } from '../lib/own-processor-time.ts';
import { median, percentile, round } from '../lib/statistics.ts';
import type { NetworkRequest } from '../stream/network.ts';
import { PULLED_AT } from '../stream/subscription-bytes.ts';
import { IN_TIME_MS, type LOCALNET_FIGURES, UPDATE_RATES } from './figures.ts';

const SUBSCRIPTIONS = 100_000;
const SECONDS = 3;
const ROUNDS = 3;

/**
 * Measures how soon a stream of the indexer's kind has the updates of accounts, which the network of
 * the bench `stream` writes in bursts. Nothing is stored, so that only network and stream are measured.
 */
export async function measureUpdates(): Promise<Measured<typeof LOCALNET_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const network = forkNetwork(new URL('../stream/network.ts', import.meta.url));
  closing.defer(() => stop(network));
  const [{ geyserUrl }] = (await once(network, 'message')) as [{ geyserUrl: string }];
  const request = <T>(message: NetworkRequest) => ask<T>(network, message);
  await request({ seed: SUBSCRIPTIONS, plan: createAddress(), amount: 1n, startedAt: 0n });
  const stream = await openStream({ yellowstoneUrl: geyserUrl, yellowstoneToken: undefined });
  const ages: number[] = [];
  const reading = readAges(stream, ages);
  closing.defer(async () => {
    stream.close();
    await reading;
  });

  const times: number[] = [];
  const p99s = new Map<number, number[]>(UPDATE_RATES.map((rate) => [rate, []]));
  for (let number = 0; number <= ROUNDS; number++) {
    for (const perSecond of UPDATE_RATES) {
      const updates = perSecond * SECONDS;
      ages.length = 0;
      const before = await request<OwnProcessorTime>({ processorTime: true });
      await request({ updates, perSecond });
      while (ages.length < updates) await wait(10);
      // The first round warms up both processes.
      if (number === 0) continue;
      const { microseconds } = await request<OwnProcessorTime>({ processorTime: true });
      times.push((microseconds - before.microseconds) / updates);
      p99s.get(perSecond)?.push(percentile(ages, 0.99));
    }
    const p99sText = UPDATE_RATES.map((rate) => `${p99s.get(rate)?.at(-1) ?? '-'} ms at ${rate} per second`);
    console.log(`round ${number} of ${ROUNDS}: update p99 ${p99sText.join(', ')}`);
  }
  const p99Of = (rate: (typeof UPDATE_RATES)[number]) => round(median(p99s.get(rate) ?? []), 1);
  return {
    update_us: round(median(times), 1),
    updates_in_time_per_s: UPDATE_RATES.findLast((rate) => p99Of(rate) <= IN_TIME_MS) ?? 0,
    update_p99_ms_1000: p99Of(1_000),
    update_p99_ms_2500: p99Of(2_500),
    update_p99_ms_5000: p99Of(5_000),
    update_p99_ms_10000: p99Of(10_000),
  };
}

/** Adds the age of each update in milliseconds, which the pulled amount in its account shows. */
async function readAges(stream: ChainStream, ages: number[]): Promise<void> {
  for await (const update of stream) {
    if (update.type !== 'account') continue;
    const { data } = update;
    const written = new DataView(data.buffer as ArrayBuffer, data.byteOffset).getBigUint64(PULLED_AT, true);
    ages.push(Date.now() - Number(written));
  }
}
