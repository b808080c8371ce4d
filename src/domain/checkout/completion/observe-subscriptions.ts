// Applies the on-chain state of subscription addresses. The cases of one address, in order:
//
// 1. The account is closed: known subscriptions have ended (delegation_closed).
// 2. It is newer than all known subscriptions: those have ended, and a checkout session that waits
//    for this wallet is completed with it.
// 3. It is a known subscription:
//    a. cancelled on chain: CANCELLED, with access until then
//    b. not cancelled, and was cancelled on chain: ACTIVE again
//    c. ended in dues and not cancelled on chain: completes a checkout session that its wallet
//       signed for
//    d. anything else: nothing, a replay or irrelevant
//
// Applying a state twice changes nothing. States older than the mirror's are ignored, by their
// `slot`.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { Book } from '../../billing/book/book.ts';
import { readBooksAt } from '../../billing/book/read-books.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import { chainAfterClose } from '../../billing/lifecycle/chain-after-close.ts';
import { changeBooks, type SubscriptionRule } from '../../billing/lifecycle/change-subscriptions.ts';
import { endSubscription, paidThrough } from '../../billing/lifecycle/end-subscription.ts';
import { matchSubscriptions } from '../../billing/lifecycle/match-subscriptions.ts';
import { observedChange } from '../../billing/lifecycle/observed-change.ts';
import { resumeSubscription } from '../../billing/lifecycle/resume-subscription.ts';
import { publishSubscriptions } from '../../billing/read/publish-subscriptions.ts';
import { assertClockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { autoCompleteCheckout, autoCompleteReturn } from './auto-complete-checkout.ts';
import { findPossibleDuplicates, recordIfDuplicate } from './record-duplicate.ts';
import { withWaitingCheckout } from './waiting-checkouts.ts';

/** Maximum addresses per database transaction. */
const BATCH_SIZE = 200;
const MAX_CONCURRENT_CHECKOUTS = 6;

export interface Observation {
  readonly address: Address;
  /** Null for a closed account. */
  readonly account: SubscriptionAccount | null;
  readonly slot: bigint;
}

/**
 * Applies the on-chain state of subscriptions, each address once. The caller must pass the states
 * of one address in slot order, each after it is in the mirror (`ChainAccount`). They are applied
 * together; if that fails, one by one, so that one failure does not stop the others. Returns the
 * errors by address.
 */
export async function observeSubscriptions(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
): Promise<ReadonlyMap<Address, unknown>> {
  const failures = new Map<Address, unknown>();
  for (const batch of inChunks(observations, BATCH_SIZE)) {
    await observeTogether(ctx, environment, batch, failures).catch(async (err: unknown) => {
      if (batch.length === 1 && batch[0]) return failures.set(batch[0].address, err);
      ctx.log.warn({ err, environment, subscriptions: batch.length }, 'subscriptions observed one by one');
      for (const observation of batch) {
        await observeTogether(ctx, environment, [observation], failures).catch((error: unknown) =>
          failures.set(observation.address, error),
        );
      }
    });
  }
  return failures;
}

/** Applies the on-chain state of one subscription address. Rejects with its error. */
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
  const confirmed = await confirmClosed(ctx, environment, observations);
  await confirmClock(ctx, environment, confirmed);
  const { changed, matches } = await inTransaction(ctx, async (tx) => {
    const addresses = confirmed.map(({ address }) => address);
    const books = await readBooksAt(tx, environment, addresses);
    const mirrored = await mirroredSlots(tx, environment, addresses);
    const matches = matchAll(confirmed, [...books.values()]);
    const rules = new Map<Book, SubscriptionRule>();
    for (const { observation, current, over } of matches) {
      // A newer state is in the mirror and will be applied by its own observer.
      if ((mirrored.get(observation.address) ?? 0n) > observation.slot) continue;
      for (const book of over) rules.set(book, markClosed);
      if (current) rules.set(current, (locked, at) => applyState(locked, observation, at));
    }
    const changed = await changeBooks(tx, [...rules.keys()], ctx.clock.now(), (locked, at) =>
      Boolean(rules.get(locked.book)?.(locked, at)),
    );
    return { changed, matches };
  });
  await publishSubscriptions(ctx, changed);
  await completeCheckouts(ctx, environment, matches, failures);
}

/**
 * A late report of a close may concern an address that already has a new account. The chain is
 * therefore read before an active subscription is ended.
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
    select: { address: true, chainCreatedAt: true },
  });
  const isRunning = new Set<string>(running.map(({ address }) => address));
  const doubtful = closed.filter((address) => isRunning.has(address));
  if (doubtful.length === 0) return observations;
  const chain = await chainAfterClose(ctx, environment, {
    slots: observations.map(({ slot }) => slot),
    createdAt: running.map(({ chainCreatedAt }) => chainCreatedAt),
  });
  const accounts = await readAccounts(chain, doubtful, 'program');
  const now = new Map(doubtful.map((address, index) => [address, accounts[index]]));
  return observations.map((observation) => {
    const { address, slot } = observation;
    const found = now.get(address);
    if (found?.owner !== PROGRAM || found.slot < slot) return observation;
    return { address, account: decodeSubscription(found.data), slot: found.slot };
  });
}

/**
 * Checks our clock before a resumption, because the clock decides which period is paid next.
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
  const address = { in: uncancelled.map((observation) => observation.address) };
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
    const subscriptions = byAddress.get(observation.address) ?? [];
    const intervalSeconds = BigInt(subscriptions[0]?.book.subscription.plan.intervalSeconds ?? 1);
    const periodStart = observation.account?.periodStart ?? null;
    const { current, over, isNew } = matchSubscriptions(subscriptions, periodStart, intervalSeconds);
    return { observation, current: current?.book, over: over.map(({ book }) => book), isNew };
  });
}

const markClosed: SubscriptionRule = ({ book }, at) => {
  book.set({ closedAt: at });
  const accessUntil = paidThrough(book.subscription, at);
  return endSubscription(book, { reason: 'delegation_closed', accessUntil, at });
};

function applyState(
  { book, lastReason }: Parameters<SubscriptionRule>[0],
  { account }: Observation,
  at: Date,
): boolean {
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

/**
 * Completes the checkouts of new subscriptions, and records those whose checkout was completed by
 * another wallet. One by one, because they are few and each reads the chain.
 */
async function completeCheckouts(
  ctx: AppContext,
  environment: Environment,
  matches: readonly Match[],
  failures: Map<Address, unknown>,
): Promise<void> {
  const candidates = matches.flatMap(({ observation: { address, account, slot }, current, isNew }) => {
    const hasReturned = current !== undefined && !COLLECTING.includes(current.statusRead);
    if (!account || !(hasReturned || (isNew && !current))) return [];
    return [{ address, account, slot, complete: hasReturned ? autoCompleteReturn : autoCompleteCheckout }];
  });
  const waiting = await withWaitingCheckout(ctx, environment, candidates);
  const created = candidates.filter(({ complete }) => complete === autoCompleteCheckout);
  const duplicates = await findPossibleDuplicates(ctx, environment, created);
  await mapConcurrently(
    [
      ...waiting.map(({ complete, ...seen }) => ({ seen, apply: () => complete(ctx, environment, seen) })),
      ...duplicates.map((found) => ({
        seen: found.seen,
        apply: () => recordIfDuplicate(ctx, environment, found),
      })),
    ],
    MAX_CONCURRENT_CHECKOUTS,
    ({ seen, apply }) =>
      apply().catch((error: unknown) => {
        failures.set(seen.address, error);
      }),
  );
}
