// What the mirror of the chain says of subscription addresses. Cases of one, in the order they are looked at:
//
//   1. the account is closed                        lives that we know are over (delegation_closed)
//   2. it is a life newer than those that we know   the known ones are over; a checkout session that waits for this
//                                                   wallet is completed with it
//   3. it is a life that we know
//      a. cancelled on chain                        CANCELLED until then
//      b. not cancelled, and was cancelled on chain ACTIVE again
//      c. over here, and not cancelled              a checkout session that its wallet signed for is completed with it
//      d. anything else                             nothing: a replay, or of no interest
//
// Applying a state again changes nothing. Older states than the mirror's are left alone: `slot` says how old one is.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../chain/accounts.ts';
import { PROGRAM } from '../../chain/addresses.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import type { DbTransaction } from '../../db.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { inChunks } from '../../in-chunks.ts';
import { sideBySide } from '../../side-by-side.ts';
import { autoCompleteCheckout, autoCompleteReturn } from '../checkout/auto-complete-checkout.ts';
import { withWaitingCheckout } from '../checkout/waiting-checkouts.ts';
import { chainOf } from '../merchant/chain-of.ts';
import type { Book } from '../payment/books/book.ts';
import { openBooksAt } from '../payment/books/read-books.ts';
import { assertClockAgrees } from '../payment/clock-agrees.ts';
import { announceSubscriptions } from './announce-subscriptions.ts';
import { changeLives, type LifeRule } from './change-lives.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';
import { matchLives } from './lives.ts';
import { observedChange } from './observed-change.ts';
import { resumeSubscription } from './resume-subscription.ts';
import { COLLECTING } from './status.ts';

/** Addresses that are looked at in one database transaction. */
const TOGETHER = 200;
const CHECKOUTS_AT_ONCE = 6;

export interface Observation {
  readonly address: Address;
  /** Null: closed. */
  readonly account: SubscriptionAccount | null;
  readonly slot: bigint;
}

/**
 * Takes over what the chain says of subscriptions, each address once. The caller tells the states of one address one after
 * the other, in the order of their slots, each after it is in the mirror (`ChainAccount`). They are looked at together; where
 * that fails, one by one, so that none is held up by another. Answers with what went wrong with which.
 */
export async function observeSubscriptions(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
): Promise<ReadonlyMap<Address, unknown>> {
  const failures = new Map<Address, unknown>();
  for (const some of inChunks(observations, TOGETHER)) {
    await observeTogether(ctx, environment, some, failures).catch(async (err: unknown) => {
      if (some.length === 1 && some[0]) return failures.set(some[0].address, err);
      ctx.log.warn({ err, environment, subscriptions: some.length }, 'subscriptions observed one by one');
      for (const one of some) {
        await observeTogether(ctx, environment, [one], failures).catch((error: unknown) =>
          failures.set(one.address, error),
        );
      }
    });
  }
  return failures;
}

/** The same for one. Rejects with what went wrong. */
export async function observeSubscription(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount | null,
  slot: bigint,
): Promise<void> {
  const failures = await observeSubscriptions(ctx, environment, [{ address, account, slot }]);
  for (const error of failures.values()) throw error;
}

async function observeTogether(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
  failures: Map<Address, unknown>,
): Promise<void> {
  const seen = await confirmClosed(ctx, environment, observations);
  await confirmClock(ctx, environment, seen);
  const { changed, matches } = await ctx.db.$transaction(async (tx) => {
    const addresses = seen.map(({ address }) => address);
    const books = await openBooksAt(tx, environment, addresses);
    const mirrored = await mirroredSlots(tx, environment, addresses);
    const matches = matchAll(seen, [...books.values()]);
    const rules = new Map<Book, LifeRule>();
    for (const { observation, current, over } of matches) {
      // Of what has a newer state in the mirror, that state's observer is on its way.
      if ((mirrored.get(observation.address) ?? 0n) > observation.slot) continue;
      for (const book of over) rules.set(book, closeLife);
      if (current) rules.set(current, (life, at) => follow(life, observation, at));
    }
    const changed = await changeLives(tx, [...rules.keys()], ctx.clock.now(), (life, at) =>
      Boolean(rules.get(life.book)?.(life, at)),
    );
    return { changed, matches };
  });
  await announceSubscriptions(ctx, changed);
  await completeCheckouts(ctx, environment, matches, failures);
}

/**
 * Who hears of a close late may not know that the address lives again already. So before a running subscription is ended
 * the chain is asked; an answer from before the close says nothing against it.
 */
async function confirmClosed(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  const closed = observations.flatMap(({ account, address }) => (account ? [] : address));
  if (closed.length === 0) return observations;
  const running = await ctx.db.subscription.findMany({
    where: { environment, address: { in: closed }, closedAt: null, status: { in: [...COLLECTING] } },
    select: { address: true },
  });
  const isRunning = new Set<string>(running.map(({ address }) => address));
  const doubtful = closed.filter((address) => isRunning.has(address));
  const accounts = await readAccounts(chainOf(ctx, environment), doubtful);
  const now = new Map(doubtful.map((address, index) => [address, accounts[index]]));
  return observations.map((observation) => {
    const { address, slot } = observation;
    const found = now.get(address);
    if (found?.owner !== PROGRAM || found.slot < slot) return observation;
    return { address, account: decodeSubscription(found.data), slot: found.slot };
  });
}

/**
 * What is paid next where a cancellation was taken back, our clock decides.
 *
 * @throws ClocksApart
 */
async function confirmClock(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
): Promise<void> {
  const uncancelled = observations.filter(({ account }) => account?.expiresAt === 0n);
  if (uncancelled.length === 0) return;
  const address = { in: uncancelled.map((each) => each.address) };
  const where = { environment, address, closedAt: null, status: 'CANCELLED' } as const;
  const resumed = await ctx.db.subscription.findFirst({ where, select: { id: true } });
  if (resumed) await assertClockAgrees(ctx, chainOf(ctx, environment));
}

async function mirroredSlots(
  tx: DbTransaction,
  environment: Environment,
  addresses: readonly Address[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.$queryRaw<{ address: string; slot: bigint }[]>`
    SELECT "address", "slot" FROM "ChainAccount"
    WHERE "environment" = ${environment}::"Environment" AND "address" = ANY(${addresses})`;
  return new Map(rows.map(({ address, slot }) => [address, slot]));
}

interface Match {
  readonly observation: Observation;
  readonly current: Book | undefined;
  readonly over: readonly Book[];
  readonly isNew: boolean;
}

function matchAll(observations: readonly Observation[], books: readonly Book[]): Match[] {
  const open = books
    .filter(({ subscription }) => subscription.closedAt === null)
    .map((book) => ({ book, chainCreatedAt: book.subscription.chainCreatedAt }))
    .sort((a, b) => Number(b.chainCreatedAt - a.chainCreatedAt));
  const byAddress = Map.groupBy(open, ({ book }) => book.subscription.address);
  return observations.map((observation) => {
    const lives = byAddress.get(observation.address) ?? [];
    const intervalSeconds = BigInt(lives[0]?.book.subscription.plan.intervalSeconds ?? 1);
    const periodStart = observation.account?.periodStart ?? null;
    const { current, over, isNew } = matchLives(lives, periodStart, intervalSeconds);
    return { observation, current: current?.book, over: over.map(({ book }) => book), isNew };
  });
}

const closeLife: LifeRule = ({ book }, at) => {
  book.set({ closedAt: at });
  const accessUntil = paidThrough(book.subscription, at);
  return endSubscription(book, { reason: 'delegation_closed', accessUntil, at });
};

function follow({ book, lastReason }: Parameters<LifeRule>[0], { account }: Observation, at: Date): boolean {
  if (!account) return false;
  const change = observedChange(book.subscription, lastReason, account);
  switch (change.kind) {
    case 'end':
      return endSubscription(book, { reason: 'cancelled_on_chain', accessUntil: change.accessUntil, at });
    case 'resume':
      return resumeSubscription(book, at);
    case 'move_end':
      book.set({ accessUntil: change.accessUntil });
      return true;
    case 'nothing':
      return false;
  }
}

/** Each by itself: there are few, and each asks the chain. */
async function completeCheckouts(
  ctx: AppContext,
  environment: Environment,
  matches: readonly Match[],
  failures: Map<Address, unknown>,
): Promise<void> {
  const candidates = matches.flatMap(({ observation: { address, account }, current, isNew }) => {
    const hasReturned = current !== undefined && !COLLECTING.includes(current.statusRead);
    if (!account || !(hasReturned || (isNew && !current))) return [];
    return [{ address, account, complete: hasReturned ? autoCompleteReturn : autoCompleteCheckout }];
  });
  const waiting = await withWaitingCheckout(ctx, environment, candidates);
  await sideBySide(waiting, CHECKOUTS_AT_ONCE, ({ address, account, complete }) =>
    complete(ctx, environment, address, account).catch((error: unknown) => {
      failures.set(address, error);
    }),
  );
}
