import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosWorld } from './world.ts';

const LOOK_EVERY_MS = 100;
const TELL_EVERY_MS = 5_000;
const MOST_JOURNEYS = 12;
/** Slots: a position moves when a block is finished, and blocks come all the time. */
const MOST_BEHIND = 20;

export interface Patience {
  /** How long dues may take to have nothing left to do. */
  readonly withinMs: number;
  /** How long what was put off may lie until the time is moved there. */
  readonly patienceMs: number;
}

interface Left {
  readonly due: number;
  /** Owed, and to be tried later, for something of ours was in the way; or claimed by somebody who may be dead. */
  readonly putOff: number;
  readonly putOffUntil: Date | null;
  readonly transactions: number;
  readonly events: number;
  readonly checkouts: number;
  /** The mirror has not caught up, or is in doubt. */
  readonly mirror: number;
}

const WORDS: Readonly<Record<Exclude<keyof Left, 'putOffUntil'>, string>> = {
  due: 'payments that are due',
  putOff: 'payments that were put off',
  transactions: 'transactions under way',
  events: 'events to be relayed',
  checkouts: 'checkouts that were signed for',
  mirror: 'the mirror',
};

/** Waits until dues has nothing left to do at the chain's present time but to send webhooks. */
export async function untilSettled(world: ChaosWorld, { withinMs, patienceMs }: Patience): Promise<void> {
  const deadline = performance.now() + withinMs;
  let onlyPutOffSince = 0;
  let told = performance.now();
  const slot = await world.network.slot();
  for (;;) {
    const left = await lookAt(world, slot).catch((error: Error) => error);
    const names =
      left instanceof Error
        ? ['the database']
        : (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((name) => left[name] > 0);
    if (names.length === 0) return;
    if (performance.now() > deadline) {
      const words = names.map((name) => (name in WORDS ? WORDS[name as keyof typeof WORDS] : name));
      throw new Error(`still waiting for ${words.join(', ')} after ${withinMs} ms: ${say(left)}`);
    }
    if (performance.now() - told > TELL_EVERY_MS) {
      told = performance.now();
      world.board.say(`  waiting for ${names.join(', ')}: ${say(left)}`);
    }
    if (!(left instanceof Error) && names.join() === 'putOff' && left.putOffUntil) {
      onlyPutOffSince ||= performance.now();
      if (performance.now() - onlyPutOffSince > patienceMs) {
        await travelTo(world, left.putOffUntil);
        onlyPutOffSince = 0;
      }
    } else onlyPutOffSince = 0;
    await wait(LOOK_EVERY_MS);
  }
}

/** Lets every retry of payments pass, and what they lead to. */
export async function passRetries(world: ChaosWorld, patience: Patience): Promise<void> {
  for (let journey = 0; journey < MOST_JOURNEYS; journey += 1) {
    await untilSettled(world, patience);
    const next = await world.db.subscription.findFirst({
      where: { status: 'PAST_DUE' },
      orderBy: { nextAttemptAt: 'asc' },
    });
    if (!next?.nextAttemptAt) return;
    await travelTo(world, next.nextAttemptAt);
  }
  throw new Error('somebody stays past due for ever');
}

/** Waits until nothing is left that the indexer had to set aside: it tries that again by itself. */
export async function untilAllApplied({ db }: ChaosWorld, { withinMs }: Patience): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const open = await db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
    if (open.length === 0) return;
    if (performance.now() > deadline) {
      const kinds = open.map(({ kind, slot }) => `${kind} of slot ${slot}`).join(', ');
      throw new Error(`not applied after ${withinMs} ms: ${kinds}`);
    }
    await wait(LOOK_EVERY_MS);
  }
}

/** Lets all webhooks arrive, also those that wait for their next try. */
export async function passDeliveries(world: ChaosWorld, { withinMs, patienceMs }: Patience): Promise<void> {
  const deadline = performance.now() + withinMs;
  let [lastWaiting, since] = [0, performance.now()];
  for (;;) {
    const [{ waiting, next } = { waiting: 0, next: null }] = await world.db.$queryRaw<
      { waiting: number; next: Date | null }[]
    >`
      SELECT count(*)::int AS "waiting", min(coalesce("claimedUntil", "nextAttemptAt")) AS "next"
      FROM "Delivery" WHERE "status" = 'PENDING'`;
    if (waiting === 0) return;
    if (performance.now() > deadline)
      throw new Error(`${waiting} webhooks are not through after ${withinMs} ms`);
    if (waiting !== lastWaiting) [lastWaiting, since] = [waiting, performance.now()];
    // Nothing moves: they wait for their next try, or are claimed by somebody who is dead.
    if (next && performance.now() - since > patienceMs) {
      await travelTo(world, next);
      since = performance.now();
    } else await wait(LOOK_EVERY_MS);
  }
}

async function travelTo(world: ChaosWorld, date: Date): Promise<void> {
  const seconds = (date.getTime() - world.network.nowMs()) / 1000 + 1;
  if (seconds > 0) await world.travel(seconds);
}

/** @param slot everything of before must be mirrored */
async function lookAt(world: ChaosWorld, slot: number): Promise<Left> {
  const now = new Date(world.network.nowMs());
  const [left] = await world.db.$queryRaw<Left[]>`
    SELECT
      count(*) FILTER (WHERE s."isDue" AND NOT s."isClaimed")::int AS "due",
      count(*) FILTER (WHERE s."isPutOff" OR (s."isDue" AND s."isClaimed"))::int AS "putOff",
      min(CASE WHEN s."isPutOff" THEN s."nextAttemptAt" ELSE s."claimedUntil" END)
        FILTER (WHERE s."isPutOff" OR (s."isDue" AND s."isClaimed")) AS "putOffUntil",
      (SELECT count(*)::int FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "transactions",
      (SELECT count(*)::int FROM "Event" WHERE "relayedAt" IS NULL) AS "events",
      (SELECT count(*)::int FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "walletAddress" IS NOT NULL)
        AS "checkouts",
      (SELECT 1 - count(*)::int FROM "StreamPosition"
        WHERE "doubt" IS NULL AND "headSlot" - "slot" < ${MOST_BEHIND} AND "headSlot" >= ${slot}) AS "mirror"
    FROM (
      SELECT "nextAttemptAt", "claimedUntil", "nextAttemptAt" <= ${now} AS "isDue",
        coalesce("claimedUntil" > ${now}, false) AS "isClaimed",
        "status" = 'ACTIVE' AND "nextPaymentAt" <= ${now} AND "nextAttemptAt" > ${now} AS "isPutOff"
      FROM "Subscription" WHERE "status" IN ('ACTIVE', 'PAST_DUE')
    ) s`;
  if (!left) throw new Error('no answer');
  return left;
}

function say(left: Left | Error): string {
  return left instanceof Error ? left.message : JSON.stringify(left);
}
