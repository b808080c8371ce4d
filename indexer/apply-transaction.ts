import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { ChainTransaction } from '../src/chain/chain-transaction.ts';
import { type TouchedAccount, touchedAccounts } from '../src/chain/touched-accounts.ts';
import {
  type SeenTransaction,
  seenTransaction,
  settleTransactions,
} from '../src/domain/payment/settle-transactions.ts';
import { observeAuthorityClosed } from '../src/domain/subscription/observe-authorities-closed.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { applyAccount } from './apply-account.ts';
import { gather } from './gather.ts';
import { readFresh } from './read-fresh.ts';

/** So long the first of a batch waits for others: a block's transactions come within a few milliseconds. */
const GATHER_MS = 5;

/** What one transaction asks for. */
export type TransactionPart =
  | { readonly kind: 'transfers'; readonly seen: SeenTransaction }
  | { readonly kind: 'touched'; readonly touched: TouchedAccount };

/**
 * The transfers of a transaction, which are the ledger, and the accounts that it may have closed, which no account
 * stream shows. All else that it did is seen in its accounts.
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
 * Books transfers: those that come in while others are being booked are booked together after them. Resolves when they
 * are in the database; booking them again changes nothing.
 */
export function bookingTransfers(
  ctx: AppContext,
  environment: Environment,
): (transaction: SeenTransaction) => Promise<void> {
  return gather(GATHER_MS, async (transactions) => {
    const unsettled = await settleTransactions(ctx, environment, transactions);
    return transactions.map(({ signature }) => unsettled.get(signature));
  });
}

/** Looks at an account that a transaction of this slot may have closed. */
export async function applyTouched(
  ctx: AppContext,
  chain: Chain,
  slot: bigint,
  { kind, address, actor }: TouchedAccount,
): Promise<void> {
  if (kind === 'authority') {
    // Whether it is there again, and who lives on, is for the use case to ask.
    return observeAuthorityClosed(ctx, chain.environment, { address, user: actor, slot });
  }
  const [seen] = await readFresh(chain, [address], slot);
  if (seen) await applyAccount(ctx, chain.environment, seen);
}
