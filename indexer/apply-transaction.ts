import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { ChainTransaction } from '../src/chain/chain-transaction.ts';
import { decodeEvents, type SubscriptionTransfer } from '../src/chain/events.ts';
import { type TouchedAccount, touchedAccounts } from '../src/chain/touched-accounts.ts';
import { settleTransfer } from '../src/domain/payment/settle-transfer.ts';
import { observeAuthorityClosed } from '../src/domain/subscription/observe-authority-closed.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { applyAccount } from './apply-account.ts';
import { readFresh } from './read-fresh.ts';

/** What one transaction asks for, each part about one account. */
export type TransactionPart =
  | { readonly kind: 'transfer'; readonly transfer: SubscriptionTransfer }
  | { readonly kind: 'touched'; readonly touched: TouchedAccount };

/**
 * The transfers of a transaction, which are the ledger, and the accounts that it may have closed, which no account
 * stream shows. All else that it did is seen in its accounts.
 *
 * @throws EventLayoutError
 */
export function partsOf(transaction: ChainTransaction): TransactionPart[] {
  const transfers = decodeEvents(transaction).filter((event) => event.type === 'transfer');
  return [
    ...transfers.map((transfer) => ({ kind: 'transfer', transfer }) as const),
    ...touchedAccounts(transaction).map((touched) => ({ kind: 'touched', touched }) as const),
  ];
}

/** Books a transfer of one of our plans; others' are passed over. Booking it again changes nothing. */
export async function applyTransfer(
  ctx: AppContext,
  environment: Environment,
  { signature, slot, blockTime }: Pick<ChainTransaction, 'signature' | 'slot' | 'blockTime'>,
  transfer: SubscriptionTransfer,
): Promise<void> {
  const key = { environment_address: { environment, address: transfer.plan } };
  if (!(await ctx.db.plan.findUnique({ where: key, select: { id: true } }))) return;
  const at = blockTime === null ? null : new Date(Number(blockTime) * 1000);
  await settleTransfer(ctx, environment, { ...transfer, signature, slot, at });
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
