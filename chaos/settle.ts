import { setTimeout as wait } from 'node:timers/promises';
import { measureUnchangedMs } from '../tools/measure-unchanged.ts';
import type { ChaosWorld } from './world.ts';

const POLL_INTERVAL_MS = 100;
const REPORT_EVERY_MS = 5_000;
const MAX_JOURNEYS = 12;
/** Slots that a position may be behind, because new blocks are produced all the time. */
const MAX_SLOTS_BEHIND = 20;

export interface Patience {
  /**
   * How long dues may have work left without any progress. A slow machine takes longer for the
   * same work and is no fault; the limit of the whole run bounds it.
   */
  readonly withinMs: number;
  /** How long delayed work may wait before time is moved to its date. */
  readonly patienceMs: number;
}

interface Left {
  readonly due: number;
  /**
   * Due payments that wait for a retry after an error, or that are claimed, perhaps by a dead
   * worker.
   */
  readonly putOff: number;
  readonly putOffUntil: Date | null;
  readonly transactions: number;
  readonly events: number;
  readonly checkouts: number;
  /** Whether the mirror is behind or incomplete. */
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

/** Waits until dues has no work left at the chain's current time, apart from webhooks. */
export async function untilSettled(world: ChaosWorld, { withinMs, patienceMs }: Patience): Promise<void> {
  const stillFor = measureUnchangedMs();
  let onlyPutOffSince = 0;
  let reportedAt = performance.now();
  const slot = await world.network.slot();
  for (;;) {
    const left = await lookAt(world, slot).catch((error: Error) => error);
    const names =
      left instanceof Error
        ? ['the database']
        : (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((name) => left[name] > 0);
    if (names.length === 0) return;
    if (stillFor(say(left)) > withinMs) {
      const words = names.map((name) => (name in WORDS ? WORDS[name as keyof typeof WORDS] : name));
      throw new Error(`no progress for ${withinMs} ms, waiting for ${words.join(', ')}: ${say(left)}`);
    }
    if (performance.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = performance.now();
      world.board.say(`  waiting for ${names.join(', ')}: ${say(left)}`);
    }
    if (!(left instanceof Error) && names.join() === 'putOff' && left.putOffUntil) {
      onlyPutOffSince ||= performance.now();
      if (performance.now() - onlyPutOffSince > patienceMs) {
        await travelTo(world, left.putOffUntil);
        onlyPutOffSince = 0;
      }
    } else onlyPutOffSince = 0;
    await wait(POLL_INTERVAL_MS);
  }
}

/** Moves time until all retries of payments and their results have passed. */
export async function passRetries(world: ChaosWorld, patience: Patience): Promise<void> {
  for (let journey = 0; journey < MAX_JOURNEYS; journey += 1) {
    await untilSettled(world, patience);
    const next = await world.db.subscription.findFirst({
      where: { status: 'PAST_DUE' },
      orderBy: { nextAttemptAt: 'asc' },
    });
    if (!next?.nextAttemptAt) return;
    await travelTo(world, next.nextAttemptAt);
  }
  throw new Error('a subscription stays PAST_DUE forever');
}

/** Waits until the indexer has applied all updates that it had set aside. */
export async function untilAllApplied({ db }: ChaosWorld, { withinMs }: Patience): Promise<void> {
  const stillFor = measureUnchangedMs();
  for (;;) {
    const open = await db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
    if (open.length === 0) return;
    const kinds = open.map(({ kind, slot }) => `${kind} of slot ${slot}`).join(', ');
    if (stillFor(kinds) > withinMs) throw new Error(`nothing applied for ${withinMs} ms: ${kinds}`);
    await wait(POLL_INTERVAL_MS);
  }
}

/** Waits until the transfers of all refunds were found, and all payments have receipts. */
export async function passRefunds(world: ChaosWorld, { withinMs, patienceMs }: Patience): Promise<void> {
  const stillFor = measureUnchangedMs();
  for (;;) {
    const [{ refunds, receipts, next } = { refunds: 0, receipts: 0, next: null }] = await world.db.$queryRaw<
      { refunds: number; receipts: number; next: Date | null }[]
    >`
      SELECT count(*)::int AS "refunds", min("nextCheckAt") AS "next",
        (SELECT count(*)::int FROM "Payment" WHERE "status" = 'SUCCEEDED' AND "receiptNumber" IS NULL) AS "receipts"
      FROM "Refund" WHERE "status" <> 'SUCCEEDED'`;
    if (refunds + receipts === 0) return;
    const still = stillFor(`${refunds} ${receipts}`);
    if (still > withinMs)
      throw new Error(
        `no progress for ${withinMs} ms: ${refunds} refunds and ${receipts} receipts are missing`,
      );
    // Each is checked at its own time, which may be two hours away.
    if (next && still > patienceMs) await travelTo(world, next);
    await wait(POLL_INTERVAL_MS);
  }
}

/** Waits until all webhooks are delivered, including retries. */
export async function passDeliveries(world: ChaosWorld, { withinMs, patienceMs }: Patience): Promise<void> {
  const stillFor = measureUnchangedMs();
  let [lastWaiting, since] = [0, performance.now()];
  for (;;) {
    const [{ waiting, next } = { waiting: 0, next: null }] = await world.db.$queryRaw<
      { waiting: number; next: Date | null }[]
    >`
      SELECT count(*)::int AS "waiting", min(coalesce("claimedUntil", "nextAttemptAt")) AS "next"
      FROM "Delivery" WHERE "status" = 'PENDING'`;
    if (waiting === 0) return;
    if (stillFor(String(waiting)) > withinMs)
      throw new Error(`no webhook delivered for ${withinMs} ms, ${waiting} are waiting`);
    if (waiting !== lastWaiting) [lastWaiting, since] = [waiting, performance.now()];
    // No progress: they wait for their retry, or a dead worker has claimed them.
    if (next && performance.now() - since > patienceMs) {
      await travelTo(world, next);
      since = performance.now();
    } else await wait(POLL_INTERVAL_MS);
  }
}

async function travelTo(world: ChaosWorld, date: Date): Promise<void> {
  const seconds = (date.getTime() - world.network.nowMs()) / 1000 + 1;
  if (seconds > 0) await world.travel(seconds);
}

/** @param slot everything before it must be mirrored */
async function lookAt(world: ChaosWorld, slot: number): Promise<Left> {
  const now = new Date(world.network.nowMs());
  const [left] = await world.db.$queryRaw<Left[]>`
    SELECT
      count(*) FILTER (WHERE s."isDue" AND NOT s."isClaimed")::int AS "due",
      count(*) FILTER (WHERE s."isPutOff" OR (s."isDue" AND s."isClaimed"))::int AS "putOff",
      min(CASE WHEN s."isPutOff" THEN s."nextAttemptAt" ELSE s."claimedUntil" END)
        FILTER (WHERE s."isPutOff" OR (s."isDue" AND s."isClaimed")) AS "putOffUntil",
      (SELECT count(*)::int FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "transactions",
      (SELECT count(*)::int FROM "Outbox") AS "events",
      (SELECT count(*)::int FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "walletAddress" IS NOT NULL)
        AS "checkouts",
      (SELECT 1 - count(*)::int FROM "StreamPosition"
        WHERE "doubt" IS NULL AND "headSlot" - "slot" < ${MAX_SLOTS_BEHIND} AND "headSlot" >= ${slot}) AS "mirror"
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
