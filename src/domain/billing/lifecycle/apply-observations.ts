// Applies the on-chain state of subscription addresses. The cases of one address, in order:
//
// 1. The account is closed: known subscriptions have ended (delegation_closed).
// 2. It is newer than all known subscriptions: those have ended. It may belong to a checkout.
// 3. It is a known subscription:
//    a. cancelled on chain: CANCELLED, with access until the end of the paid time
//    b. not cancelled, and was cancelled on chain: ACTIVE again
//    c. ended in dues and not cancelled on chain: its wallet may have signed for a checkout
//    d. anything else: nothing, a replay or irrelevant
//
// Applying a state twice changes nothing. States older than the mirror's are ignored, by their
// `slot`.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { assertClockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Book } from '../book/book.ts';
import { readBooksAt } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import { chainAfterClose } from './chain-after-close.ts';
import { changeBooks, type SubscriptionRule } from './change-subscriptions.ts';
import { endSubscription, hasNoAccess, paidThrough } from './end-subscription.ts';
import { matchSubscriptions } from './match-subscriptions.ts';
import { observedChange } from './observed-change.ts';
import { resumeSubscription } from './resume-subscription.ts';

/** The state of a subscription address at a slot. */
export interface Observation {
  readonly address: Address;
  /** Null for a closed account. */
  readonly account: SubscriptionAccount | null;
  readonly slot: bigint;
}

/** An account on chain from which dues collects nothing. Its wallet may have signed for a checkout. */
export interface Uncollected {
  readonly address: Address;
  readonly account: SubscriptionAccount;
  readonly slot: bigint;
  /** Whether dues knows it as a subscription that has ended; otherwise it is new. */
  readonly hasEnded: boolean;
}

/**
 * Applies the states in one database transaction, each address once. Returns those from which
 * nothing is collected.
 *
 * @throws ClocksApart if a subscription would be resumed; errors of the cluster and the database
 */
export async function applyObservations(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
): Promise<readonly Uncollected[]> {
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
  return matches.flatMap(asUncollected);
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
    const periodSeconds = BigInt(subscriptions[0]?.book.subscription.plan.periodSeconds ?? 1);
    const { current, over, isNew } = matchSubscriptions(subscriptions, observation.account, periodSeconds);
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
    case 'end': {
      const { endedAt } = change;
      const paidUntil = paidThrough(book.subscription, at);
      const accessUntil = endedAt && endedAt < paidUntil ? endedAt : paidUntil;
      return endSubscription(book, { reason: 'cancelled_on_chain', accessUntil, at });
    }
    case 'resume':
      return resumeSubscription(book, at);
    case 'move_end':
      if (hasNoAccess(book.subscription)) return false;
      book.set({ accessUntil: change.accessUntil });
      return true;
    case 'nothing':
      return false;
  }
}

function asUncollected({ observation: { address, account, slot }, current, isNew }: Match): Uncollected[] {
  const hasEnded = current !== undefined && !COLLECTING.includes(current.statusRead);
  return account && (hasEnded || (isNew && !current)) ? [{ address, account, slot, hasEnded }] : [];
}
