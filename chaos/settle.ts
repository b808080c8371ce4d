import { setTimeout as wait } from 'node:timers/promises';
import { measureUnchangedMs } from '../tools/measure-unchanged.ts';
import type { ChaosWorld } from './world.ts';

const POLL_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 5_000;
const MAX_TRAVELS = 12;
/** Slots that the indexer may be behind, because new blocks are produced all the time. */
const MAX_SLOTS_BEHIND = 20;

export interface Patience {
  /**
   * How long dues may have remaining work without any progress. There is no other limit here,
   * because a slow machine takes longer for the same work; the whole run has a time limit.
   */
  readonly maxUnchangedMs: number;
  /** How long only postponed work may remain before the network's time is moved to its date. */
  readonly patienceMs: number;
}

interface RemainingWork {
  readonly due: number;
  /**
   * Payments whose date has passed and that wait for a retry after an error, or that are claimed,
   * perhaps by a worker that was killed.
   */
  readonly postponed: number;
  readonly postponedUntil: Date | null;
  readonly transactions: number;
  readonly events: number;
  readonly checkouts: number;
  /** 1 if the mirror is behind or incomplete, otherwise 0. */
  readonly mirror: number;
}

const WORK_NAMES: Readonly<Record<Exclude<keyof RemainingWork, 'postponedUntil'>, string>> = {
  due: 'due payments',
  postponed: 'postponed payments',
  transactions: 'transactions in flight',
  events: 'events in the outbox',
  checkouts: 'signed checkouts',
  mirror: 'the mirror',
};

/**
 * Waits until dues has no work left at the chain's current time, apart from webhooks. Moves the time
 * forward if only postponed payments remain.
 */
export async function untilSettled(
  world: ChaosWorld,
  { maxUnchangedMs, patienceMs }: Patience,
): Promise<void> {
  const unchangedMs = measureUnchangedMs();
  let onlyPostponedSince = 0;
  let reportedAt = performance.now();
  const slot = await world.network.client.slot('confirmed');
  for (;;) {
    const remaining = await readRemainingWork(world, slot).catch((error: Error) => error);
    const names =
      remaining instanceof Error
        ? ['the database']
        : (Object.keys(WORK_NAMES) as (keyof typeof WORK_NAMES)[]).filter((name) => remaining[name] > 0);
    if (names.length === 0) return;
    if (unchangedMs(describeWork(remaining)) > maxUnchangedMs) {
      const words = names.map((name) =>
        name in WORK_NAMES ? WORK_NAMES[name as keyof typeof WORK_NAMES] : name,
      );
      throw new Error(
        `no progress for ${maxUnchangedMs} ms, waiting for ${words.join(', ')}: ${describeWork(remaining)}`,
      );
    }
    if (performance.now() - reportedAt > REPORT_INTERVAL_MS) {
      reportedAt = performance.now();
      world.board.say(`  waiting for ${names.join(', ')}: ${describeWork(remaining)}`);
    }
    if (!(remaining instanceof Error) && names.join() === 'postponed' && remaining.postponedUntil) {
      onlyPostponedSince ||= performance.now();
      if (performance.now() - onlyPostponedSince > patienceMs) {
        await travelTo(world, remaining.postponedUntil);
        onlyPostponedSince = 0;
      }
    } else onlyPostponedSince = 0;
    await wait(POLL_INTERVAL_MS);
  }
}

/** Moves the time until all retries of payments have happened and are settled. */
export async function untilRetriesSettled(world: ChaosWorld, patience: Patience): Promise<void> {
  for (let travel = 0; travel < MAX_TRAVELS; travel += 1) {
    await untilSettled(world, patience);
    const next = await world.db.subscription.findFirst({
      where: { status: 'PAST_DUE' },
      orderBy: { nextAttemptAt: 'asc' },
    });
    if (!next?.nextAttemptAt) return;
    await travelTo(world, next.nextAttemptAt);
  }
  throw new Error(`a subscription is still PAST_DUE after the time was moved ${MAX_TRAVELS} times`);
}

/** Waits until the indexer has applied all updates that it had recorded as unapplied. */
export async function untilAllApplied({ db }: ChaosWorld, { maxUnchangedMs }: Patience): Promise<void> {
  const unchangedMs = measureUnchangedMs();
  for (;;) {
    const unapplied = await db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
    if (unapplied.length === 0) return;
    const kinds = unapplied.map(({ kind, slot }) => `${kind} of slot ${slot}`).join(', ');
    if (unchangedMs(kinds) > maxUnchangedMs)
      throw new Error(`no update applied for ${maxUnchangedMs} ms: ${kinds}`);
    await wait(POLL_INTERVAL_MS);
  }
}

/**
 * Waits until the transfers of all refunds are found, and all payments have receipts. Moves the time
 * to the next check if nothing else happens.
 */
export async function untilRefundsFound(
  world: ChaosWorld,
  { maxUnchangedMs, patienceMs }: Patience,
): Promise<void> {
  const unchangedMs = measureUnchangedMs();
  for (;;) {
    const [{ refunds, receipts, next } = { refunds: 0, receipts: 0, next: null }] = await world.db.$queryRaw<
      { refunds: number; receipts: number; next: Date | null }[]
    >`
      SELECT count(r."id")::int AS "refunds", p."receipts", least(min("nextCheckAt"), p."next") AS "next"
      FROM (
        SELECT count(*)::int AS "receipts", min("finalityCheckAt") AS "next" FROM "Payment"
        WHERE "status" = 'SUCCEEDED' AND "receiptNumber" IS NULL
      ) AS p LEFT JOIN "Refund" r ON r."status" <> 'SUCCEEDED'
      GROUP BY p."receipts", p."next"`;
    if (refunds + receipts === 0) return;
    const waitedMs = unchangedMs(`${refunds} ${receipts}`);
    if (waitedMs > maxUnchangedMs)
      throw new Error(
        `no progress for ${maxUnchangedMs} ms: ${refunds} refunds and ${receipts} receipts are missing`,
      );
    // Each refund is checked at its own time, which may be two hours from now, and so is a payment of which
    // a node that was behind knew nothing.
    if (next && waitedMs > patienceMs) await travelTo(world, next);
    await wait(POLL_INTERVAL_MS);
  }
}

/**
 * Waits until all webhooks are delivered, including retries. Moves the time to the next retry if
 * nothing else happens.
 */
export async function untilDelivered(
  world: ChaosWorld,
  { maxUnchangedMs, patienceMs }: Patience,
): Promise<void> {
  const unchangedMs = measureUnchangedMs();
  let [lastWaiting, changedAt] = [0, performance.now()];
  for (;;) {
    const [{ waiting, next } = { waiting: 0, next: null }] = await world.db.$queryRaw<
      { waiting: number; next: Date | null }[]
    >`
      SELECT count(*)::int AS "waiting", min(coalesce("claimedUntil", "nextAttemptAt")) AS "next"
      FROM "Delivery" WHERE "status" = 'PENDING'`;
    if (waiting === 0) return;
    if (unchangedMs(String(waiting)) > maxUnchangedMs)
      throw new Error(`no webhook delivered for ${maxUnchangedMs} ms, ${waiting} are waiting`);
    if (waiting !== lastWaiting) [lastWaiting, changedAt] = [waiting, performance.now()];
    // The deliveries wait for their retry, or a worker that was killed has claimed them.
    if (next && performance.now() - changedAt > patienceMs) {
      await travelTo(world, next);
      changedAt = performance.now();
    } else await wait(POLL_INTERVAL_MS);
  }
}

async function travelTo(world: ChaosWorld, date: Date): Promise<void> {
  const seconds = (date.getTime() - world.network.nowMs()) / 1000 + 1;
  if (seconds > 0) await world.travel(seconds);
}

/** @param slot the slot that the mirror must have reached */
async function readRemainingWork(world: ChaosWorld, slot: number): Promise<RemainingWork> {
  const now = new Date(world.network.nowMs());
  const [remaining] = await world.db.$queryRaw<RemainingWork[]>`
    SELECT
      count(*) FILTER (WHERE s."isDue" AND NOT s."isClaimed")::int AS "due",
      count(*) FILTER (WHERE s."isPostponed" OR (s."isDue" AND s."isClaimed"))::int AS "postponed",
      min(CASE WHEN s."isPostponed" THEN s."nextAttemptAt" ELSE s."claimedUntil" END)
        FILTER (WHERE s."isPostponed" OR (s."isDue" AND s."isClaimed")) AS "postponedUntil",
      (SELECT count(*)::int FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "transactions",
      (SELECT count(*)::int FROM "Outbox") AS "events",
      (SELECT count(*)::int FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "walletAddress" IS NOT NULL
        AND NOT ("id" = ANY(${[...world.abandoned]}))) AS "checkouts",
      (SELECT 1 - count(*)::int FROM "StreamPosition"
        WHERE "doubt" IS NULL AND "headSlot" - "slot" < ${MAX_SLOTS_BEHIND} AND "headSlot" >= ${slot}) AS "mirror"
    FROM (
      SELECT "nextAttemptAt", "claimedUntil", "nextAttemptAt" <= ${now} AS "isDue",
        coalesce("claimedUntil" > ${now}, false) AS "isClaimed",
        "status" = 'ACTIVE' AND "nextPaymentAt" <= ${now} AND "nextAttemptAt" > ${now} AS "isPostponed"
      FROM "Subscription" WHERE "status" IN ('ACTIVE', 'PAST_DUE')
    ) s`;
  if (!remaining) throw new Error('the query returned no row');
  return remaining;
}

function describeWork(remaining: RemainingWork | Error): string {
  return remaining instanceof Error ? remaining.message : JSON.stringify(remaining);
}
