import { setTimeout as wait } from 'node:timers/promises';
import { chainWasRead } from '../../src/db/timeline.ts';
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
  await untilWorking(world);
  world.tally.add('silence');
};

/**
 * Waits until every role works with the database that is back now. Measures the time.
 *
 * @param lostAt when the recovery began, as `performance.now()`
 */
export async function untilWorking(world: ChaosWorld, lostAt = performance.now()): Promise<void> {
  const backAt = performance.now();
  const [{ now } = { now: new Date() }] = await world.queryUntilAnswered(
    () => world.db.$queryRaw<{ now: Date }[]>`SELECT now()`,
  );
  let isLed = false;
  for (;;) {
    if (!isLed && (await world.findLeader())) {
      isLed = true;
      world.tally.measure('leader_s', (performance.now() - backAt) / 1000);
    }
    const missing = await findMissing(world, now);
    const elapsedMs = performance.now() - backAt;
    if (missing.length === 0 && isLed) {
      world.tally.measure('recovery_s', (performance.now() - lostAt) / 1000);
      return;
    }
    if (elapsedMs > WORKS_WITHIN_MS) throw new Error(`after a silence do not work: ${missing.join(', ')}`);
    await wait(POLL_INTERVAL_MS);
  }
}

/**
 * What does not work since the network is back. Each role's readiness check asks the database. After a
 * failover nothing is collected until the chain was read.
 */
async function findMissing({ db, roles }: ChaosWorld, since: Date): Promise<string[]> {
  const [position] = await db.$queryRaw<{ isHeard: boolean }[]>`
    SELECT bool_and("heardAt" > ${since}) AS "isHeard" FROM "StreamPosition"`;
  const ready = await Promise.all(roles.map(({ process }) => process.isReady()));
  return [
    ...(position?.isHeard ? [] : ['the mirror']),
    ...((await chainWasRead(db, 'TEST')) ? [] : ['the collection']),
    ...roles.filter((_, index) => !ready[index]).map(({ process }) => process.name),
  ];
}
