import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosWorld } from '../world.ts';
import type { FaultKind } from './fault.ts';

/** Shorter than the limits of an answer, so that the network is back while statements wait. */
const SILENCE_MS = 15_000;
const WORKS_WITHIN_MS = 120_000;
const POLL_INTERVAL_MS = 100;

/**
 * The network between all roles and PostgreSQL drops all packets for a while: no FIN, no RST. New
 * connections work again then, and the old ones never. Measures the time until everything works.
 */
export const silenceDatabase: FaultKind['run'] = async (world) => {
  world.databaseProxy.silence();
  await wait(SILENCE_MS);
  world.databaseProxy.serve();
  const backAt = performance.now();
  const [{ now } = { now: new Date() }] = await world.db.$queryRaw<{ now: Date }[]>`SELECT now()`;
  for (;;) {
    const missing = await findMissing(world, now);
    const elapsedMs = performance.now() - backAt;
    if (missing.length === 0) {
      world.tally.add('silence');
      world.tally.measure('recovery_s', elapsedMs / 1000);
      return;
    }
    if (elapsedMs > WORKS_WITHIN_MS) throw new Error(`after a silence do not work: ${missing.join(', ')}`);
    await wait(POLL_INTERVAL_MS);
  }
};

/** What does not work since the network is back. */
async function findMissing({ db, apiUrl, roles }: ChaosWorld, since: Date): Promise<string[]> {
  const ready = await fetch(`${apiUrl}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
  const sessions = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT "application_name" AS "name" FROM pg_stat_activity
    WHERE "backend_start" > ${since} AND "query_start" IS NOT NULL`;
  const connected = new Set(sessions.map(({ name }) => name));
  const [position] = await db.$queryRaw<{ isHeard: boolean }[]>`
    SELECT bool_and("heardAt" > ${since}) AS "isHeard" FROM "StreamPosition"`;
  return [
    ...(ready ? [] : ['answers of the API']),
    ...(position?.isHeard ? [] : ['the mirror']),
    ...roles.map(({ process }) => process.name).filter((name) => !connected.has(name)),
  ];
}
