import type { Address } from '@solana/kit';
import type { AppContext } from '../../src/app.ts';
import { type TouchedAccount, touchedAccounts } from '../../src/chain/accounts/touched-accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import type { ChainTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import {
  type ClosedAuthority,
  observeAuthoritiesClosed,
} from '../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import {
  type SeenTransaction,
  seenTransaction,
  settleTransactions,
} from '../../src/domain/billing/settle/settle-transactions.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import { batchItems } from '../order/batch-items.ts';
import { findRelevantAccounts } from '../relevant-accounts.ts';
import { applyAccount } from './apply-account.ts';
import { readFresh } from './read-fresh.ts';

/**
 * The time for which the first item of a batch waits for others: a block's transactions arrive
 * within a few milliseconds.
 */
const GATHER_MS = 5;

/** A part of a transaction that must be applied. */
export type TransactionPart =
  | { readonly kind: 'transfers'; readonly seen: SeenTransaction }
  | { readonly kind: 'touched'; readonly touched: TouchedAccount };

/**
 * The parts of a transaction that must be applied: its transfers, which form the ledger, and the
 * accounts that it may have closed, because an account stream does not show closed accounts. Its
 * other effects are seen in the accounts.
 *
 * @throws EventLayoutError
 */
export function partsOf(transaction: ChainTransaction): TransactionPart[] {
  const seen = seenTransaction(transaction);
  return [
    ...(seen.transfers.length > 0 ? [{ kind: 'transfers', seen } as const] : []),
    ...touchedAccounts(transaction).map((touched) => ({ kind: 'touched', touched }) as const),
  ];
}

/**
 * Returns a function that settles the transfers of a transaction, in batches: transactions that
 * arrive during a batch form the next one. The function resolves when the transfers are stored.
 * Settling them again changes nothing.
 */
export function createTransferSettlement(
  ctx: AppContext,
  environment: Environment,
): (transaction: SeenTransaction) => Promise<void> {
  return batchItems(GATHER_MS, async (transactions) => {
    const unsettled = await settleTransactions(ctx, environment, transactions);
    return transactions.map(({ signature }) => unsettled.get(signature));
  });
}

/** An account that a transaction in this slot may have closed. */
export interface Touch {
  readonly slot: bigint;
  readonly touched: TouchedAccount;
}

/**
 * Returns a function that checks an account that a transaction may have closed, in batches:
 * accounts that arrive during a batch form the next one. Foreign accounts need no call of the
 * cluster.
 */
export function createTouchedAccountCheck(ctx: AppContext, chain: Chain): (touch: Touch) => Promise<void> {
  return batchItems(GATHER_MS, async (touches) => {
    const relevant = await findRelevantAccounts(
      ctx,
      chain.environment,
      touches.map(({ touched: { address, kind, actor } }) =>
        kind === 'authority' ? { address, wallet: actor } : { address },
      ),
    );
    const relevantTouches = touches.filter(({ touched }) => relevant.has(touched.address));
    const isAuthority = ({ touched }: Touch) => touched.kind === 'authority';
    const failures = new Map<Address, unknown>([
      ...(await endPaidThrough(ctx, chain, relevantTouches.filter(isAuthority))),
      ...(await readAgain(
        ctx,
        chain,
        relevantTouches.filter((touch) => !isAuthority(touch)),
      )),
    ]);
    return touches.map(({ touched }) => failures.get(touched.address));
  });
}

/**
 * Ends the subscriptions that were paid through closed authorities. The use case checks whether an
 * authority exists again and which subscriptions continue.
 */
function endPaidThrough(
  ctx: AppContext,
  { environment }: Chain,
  touches: readonly Touch[],
): Promise<ReadonlyMap<Address, unknown>> {
  const closed = touches.map(({ slot, touched: { address, actor: user } }) => ({ address, user, slot }));
  return observeAuthoritiesClosed(ctx, environment, [...newestByAddress(closed)]);
}

async function readAgain(
  ctx: AppContext,
  chain: Chain,
  touches: readonly Touch[],
): Promise<ReadonlyMap<Address, unknown>> {
  const failures = new Map<Address, unknown>();
  if (touches.length === 0) return failures;
  const addresses = [...new Set(touches.map(({ touched }) => touched.address))];
  let newest = 0n;
  for (const { slot } of touches) if (slot > newest) newest = slot;
  for (const seen of await readFresh(chain, addresses, newest)) {
    await applyAccount(ctx, chain.environment, seen).catch((error: unknown) => {
      failures.set(seen.address, error);
    });
  }
  return failures;
}

function newestByAddress(closed: readonly ClosedAuthority[]): Iterable<ClosedAuthority> {
  const newest = new Map<Address, ClosedAuthority>();
  for (const authority of closed) {
    const other = newest.get(authority.address);
    if (!other || other.slot < authority.slot) newest.set(authority.address, authority);
  }
  return newest.values();
}
