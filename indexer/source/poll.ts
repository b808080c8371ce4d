import type { AppContext } from '../../src/app.ts';
import { readSlotTime, type SlotTime } from '../../src/chain/accounts/read-accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { NEAR_SLOTS, NodeBehind } from '../../src/chain/rpc/as-of.ts';
import { knownSlot } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { Mirror } from '../apply/mirror.ts';
import { TopUps } from '../apply/top-ups.ts';
import { pause, repeatWhenDue } from '../pause.ts';
import { backfillTransactions, OVERLAP_SLOTS } from '../repair/backfill.ts';
import { compareInTurn } from '../repair/comparison.ts';
import { OwedRound } from '../repair/owed-round.ts';
import { createRefusedRetry } from '../repair/retry-refused.ts';
import { retryUnapplied } from '../repair/retry-unapplied.ts';
import { scheduleSearches, searchMissedTransactions } from '../repair/search-missed-transactions.ts';
import { applySnapshot } from '../repair/snapshot.ts';
import { Schedule } from '../schedule.ts';
import { loadPosition, savePosition } from '../stream-position.ts';
import type { Timings } from '../timings.ts';

/** If a round of the comparison has been owed for longer, updates may have been missed. */
const DOUBT_AFTER_MS = 60_000;

/**
 * Mirrors the chain by polling, until the signal aborts: for development and for merchants whose
 * RPC provider has no stream. It sees the same changes, but later and with more reads. Never
 * rejects.
 */
export async function followByPolling(
  ctx: AppContext,
  chain: Chain,
  timings: Timings,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  ctx.log.warn({ environment }, 'no Yellowstone URL set: indexer polls the RPC node');
  const { repairMs, pollMs } = timings;
  let searches: Schedule | undefined;
  const owed = new OwedRound();
  let rounds: Schedule | undefined;
  while (!signal.aborted) {
    try {
      const position = await loadPosition(ctx, environment);
      // If nothing was ever mirrored, the first poll compares everything.
      rounds ??= new Schedule(repairMs, { firstInMs: position === undefined ? repairMs : 0 });
      searches ??= await scheduleSearches(ctx, environment, position, repairMs);
      await pollWithOneMirror(ctx, chain, timings, { position, rounds, searches, owed }, signal);
    } catch (err) {
      if (!signal.aborted) ctx.log.warn({ err, environment }, 'polling failed');
    }
    await pause(pollMs, signal);
  }
}

/** What continues when a mirror is replaced after a failure. */
interface Continued {
  /** The stored position; undefined if nothing was ever mirrored. */
  readonly position: bigint | undefined;
  /** The rounds of the comparison. */
  readonly rounds: Schedule;
  /** The searches for missed transactions. */
  readonly searches: Schedule;
  readonly owed: OwedRound;
}

/** Polls until a failure or until the signal aborts. */
async function pollWithOneMirror(
  ctx: AppContext,
  chain: Chain,
  timings: Timings,
  { position, rounds, searches, owed }: Continued,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  let failure: { error: unknown } | undefined;
  const over = new AbortController();
  const onFailure = (error: unknown) => {
    failure ??= { error };
    over.abort();
  };
  const mirror = new Mirror(ctx, chain, { position, onFailure });
  const until = AbortSignal.any([signal, over.signal]);
  until.addEventListener('abort', () => mirror.stop(), { once: true });
  const logAs = (message: string) => (err: unknown) => {
    if (!until.aborted) ctx.log.error({ err, environment }, message);
  };
  const background = [
    compareInTurn(mirror, { rounds, owed }, until, logAs('comparing failed')),
    repeatWhenDue(
      searches,
      until,
      () => searchMissedTransactions(mirror, position),
      logAs('search for missed transactions failed'),
    ),
  ];
  try {
    await pollRepeatedly(mirror, owed, timings, until);
  } finally {
    over.abort();
    await Promise.all(background);
  }
  if (failure) throw failure.error;
}

async function pollRepeatedly(
  mirror: Mirror,
  owed: OwedRound,
  timings: Timings,
  signal: AbortSignal,
): Promise<void> {
  const { ctx, chain, environment } = mirror;
  const topUps = new TopUps(mirror, { maxStreamed: 0 });
  const retry = new Schedule(timings.retryUnappliedMs, { firstInMs: 0 });
  const retryRefused = createRefusedRetry(mirror, timings.retryUnappliedMs);
  const poll = createPoll(mirror, owed);
  let newest: SlotTime = { slot: 0n, time: 0n };
  while (!signal.aborted) {
    const newer = await readNewerTime(ctx, chain, newest.slot);
    newest = newer ?? newest;
    await poll(newest);
    await readTopUps(topUps).catch((err: unknown) => {
      if (!signal.aborted) ctx.log.error({ err, environment }, 'top-ups not read: will be retried');
    });
    if (retry.remainingMs === 0) {
      retry.ran();
      await retryUnapplied(mirror);
      await retryRefused();
    }
    await mirror.waitUntilFinished();
    if (signal.aborted) return;
    // Refused updates hold the position back, so that another process reads them too.
    if (mirror.position !== undefined) {
      const isDoubtful = (owed.owedMs ?? 0) > DOUBT_AFTER_MS;
      const doubt = isDoubtful ? 'changes may have been missed: every account is being compared' : null;
      await savePosition(ctx, environment, mirror.position, {
        receivedSlot: newer?.slot,
        time: mirror.positionTime,
        doubt,
      });
    }
    await pause(timings.pollMs, signal);
  }
}

/** Payments are retried without it too, so a failure must not hold the position back. */
async function readTopUps(topUps: TopUps): Promise<void> {
  await topUps.refresh();
  await topUps.readInTurn();
}

/**
 * Reads the slot and time of a node that is ahead of `slot`: of one near the newest known slot if
 * there is one, so that a node that has fallen behind is not followed. Undefined if no node is
 * ahead.
 */
async function readNewerTime(
  ctx: AppContext,
  { rpc, environment }: Chain,
  slot: bigint,
): Promise<SlotTime | undefined> {
  const near = (await knownSlot(ctx, environment)) - NEAR_SLOTS;
  for (const minSlot of near > slot + 1n ? [near, slot + 1n] : [slot + 1n]) {
    try {
      return await readSlotTime({ rpc, minSlot, slotAttempts: 1 });
    } catch (error) {
      if (!(error instanceof NodeBehind)) throw error;
    }
  }
  return undefined;
}

/**
 * Returns a function that reads the changes up to a slot. Every change of the program's accounts
 * has a transaction that names the program. If there are too many foreign transactions, only those
 * of our plans are read, and a round of the comparison is owed. Calls for foreign transactions are
 * limited to `comparedCallsPerMinute`: beyond that, polls are skipped and the position waits.
 */
function createPoll(mirror: Mirror, owed: OwedRound): (newest: SlotTime) => Promise<void> {
  const { ctx, chain, environment } = mirror;
  let since = mirror.position;
  let notBefore = 0;
  let hasWarned = false;
  const listed = new ListedTime();
  return async (newest) => {
    const { slot } = newest;
    const startedAt = performance.now();
    if (startedAt < notBefore) return;
    if (since === undefined) await applySnapshot(mirror, slot);
    else {
      const { unseen, foreignCalls } = await backfillTransactions(mirror, { since, until: slot });
      notBefore = startedAt + (foreignCalls * 60_000) / chain.config.comparedCallsPerMinute;
      if (unseen !== undefined) {
        owed.recordUnseenChange();
        if (!hasWarned) ctx.log.warn({ environment, because: unseen }, 'comparing accounts in turn');
        hasWarned = true;
      }
    }
    await mirror.waitUntilFinished();
    mirror.completeBlock({ slot, time: listed.after(newest) });
    since = slot;
  };
}

/**
 * The time up to which the node has listed all transactions. It lists the newest ones late, so that
 * is the time of a poll before the overlap, which this poll has read again.
 */
class ListedTime {
  /** The polls since that one, oldest first. */
  #polls: SlotTime[] = [];

  /** The time after a poll, in unix seconds; undefined if no poll was long enough ago. */
  after(poll: SlotTime): bigint | undefined {
    this.#polls.push(poll);
    const isListed = ({ slot }: SlotTime) => slot <= poll.slot - OVERLAP_SLOTS;
    const newest = this.#polls.findLastIndex(isListed);
    if (newest > 0) this.#polls.splice(0, newest);
    return newest === -1 ? undefined : this.#polls[0]?.time;
  }
}
