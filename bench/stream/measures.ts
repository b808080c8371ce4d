// The measurements of the stream benchmark. All but `measureOneByOne` measure several rounds, and
// print each round.
import { Client } from 'pg';
import { pollUntil } from '../../tools/poll-until.ts';
import { ask, stop } from '../lib/child-process.ts';
import type { RolesMemory } from '../lib/roles.ts';
import { percentile, round } from '../lib/statistics.ts';
import { readCommitsSince } from './rows.ts';
import { watchStatuses } from './socket.ts';
import type { StreamWorld } from './world.ts';

/** Seconds from the indexer's start until an empty mirror has a row for each subscription. */
export async function measureSnapshots(world: StreamWorld, rounds: number): Promise<number[]> {
  const { db, subscriptions } = world;
  return repeatRounds(rounds, async () => {
    await db.$executeRawUnsafe('TRUNCATE "ChainAccount", "StreamPosition"');
    const startedAt = performance.now();
    const server = await world.startServer();
    await pollUntil(async () => (await db.chainAccount.count()) >= subscriptions.length, 250);
    const seconds = secondsSince(startedAt);
    await world.waitUntilCaughtUp();
    await stop(server.process);
    console.log(`snapshot: ${round(seconds, 1)} s`);
    return seconds;
  });
}

export interface PacedRound {
  readonly perSecond: number;
  /** Milliseconds from write to commit. */
  readonly p99Ms: number;
  /** Resident memory of the indexer after a garbage collection. */
  readonly megabytes: number;
}

/** Measures updates at a fixed rate. The first round is a warm-up and is not counted. */
export async function measurePaced(
  world: StreamWorld,
  { perSecond, seconds, rounds }: { perSecond: number; seconds: number; rounds: number },
): Promise<PacedRound[]> {
  const server = await world.startServer();
  await world.waitUntilCaughtUp();
  const updates = perSecond * seconds;
  const [, ...counted] = await repeatRounds(rounds + 1, async (index) => {
    const sinceMs = Date.now();
    await world.request({ updates, perSecond });
    await world.waitUntilApplied();
    const commits = await readCommitsSince(world.databaseUrl, sinceMs);
    const ages = commits.map(({ written, committed }) => committed - written);
    const lastMs = commits.reduce((newest, { committed }) => Math.max(newest, committed), 0);
    const { residentBytes } = await ask<RolesMemory>(server.process, 'memory in use');
    const measured = {
      perSecond: (updates * 1_000) / (lastMs - sinceMs),
      p99Ms: percentile(ages, 0.99),
      megabytes: residentBytes / 1e6,
    };
    console.log(
      `${index === 0 ? 'warm-up' : 'paced'}: ${round(measured.perSecond)} updates per second, p50 ` +
        `${round(percentile(ages, 0.5))} ms, p99 ${round(measured.p99Ms)} ms, ${round(measured.megabytes)} MB`,
    );
    return measured;
  });
  await stop(server.process);
  return counted;
}

/** Seconds from the indexer's start until earlier updates are applied. */
export function measureBacklogs(world: StreamWorld, updates: number, rounds: number): Promise<number[]> {
  return repeatRounds(rounds, async () => {
    await world.request({ updates });
    const startedAt = performance.now();
    const server = await world.startServer();
    await world.waitUntilApplied();
    const seconds = secondsSince(startedAt);
    await stop(server.process);
    console.log(`backlog: ${round(seconds, 1)} s`);
    return seconds;
  });
}

/**
 * The p99 of each round, in milliseconds, from the write of a change until a subscriber gets it.
 */
export async function measureLive(
  world: StreamWorld,
  { perSecond, seconds, rounds }: { perSecond: number; seconds: number; rounds: number },
): Promise<number[]> {
  const server = await world.startServer('api', 'relay');
  const socket = await watchStatuses(`${server.url.replace('http', 'ws')}/graphql`, world.apiKey);
  const measureChanges = async (updates: number) => {
    await world.request({ updates, perSecond, cancelling: true });
    const arrivals = await socket.receive(updates);
    socket.clear();
    const written = await world.request<number[]>({ latest: arrivals.map(({ address }) => address) });
    return arrivals.map(({ at }, index) => at - (written[index] ?? Number.NaN));
  };
  await world.waitUntilCaughtUp();
  await measureChanges(perSecond * 2);
  const p99s = await repeatRounds(rounds, async () => {
    const delays = await measureChanges(perSecond * seconds);
    const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
    console.log(`live: p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms from write to subscriber`);
    return p99;
  });
  await socket.close();
  await stop(server.process);
  return p99s;
}

/** Rows per second with one statement per row, in sequence. */
export async function measureOneByOne({ databaseUrl, subscriptions }: StreamWorld): Promise<number> {
  const count = Math.min(5_000, subscriptions.length);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const startedAt = performance.now();
  for (const { address } of subscriptions.slice(0, count)) {
    await client.query(
      'UPDATE "ChainAccount" SET "slot" = "slot" + 1 WHERE "environment" = $1 AND "address" = $2',
      ['TEST', address],
    );
  }
  const perSecond = count / secondsSince(startedAt);
  await client.end();
  return perSecond;
}

async function repeatRounds<T>(rounds: number, measure: (index: number) => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (let index = 0; index < rounds; index++) measured.push(await measure(index));
  return measured;
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
