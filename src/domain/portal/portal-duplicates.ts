import { type Address, address as toAddress } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { authorityAddress, tokenAccountAddress } from '../../chain/accounts/addresses.ts';
import type { DuplicateSubscription, Merchant, Plan } from '../../generated/prisma/client.ts';
import { COLLECTING } from '../billing/book/status.ts';
import type { PaidSubscription, WalletState } from '../chain-state/wallet-state/read-wallet-states.ts';
import type { PortalCaller } from './portal-session.ts';

/** Maximum second subscriptions of a wallet that the portal shows, newest first. */
const MAX_DUPLICATES = 20;

export interface PortalDuplicate extends DuplicateSubscription {
  readonly plan: Plan & { readonly merchant: Merchant };
}

/**
 * The subscriptions that the wallet of the session created for checkouts which another wallet had
 * completed. Only a session of that wallet shows them. One that was subscribed again since is shown
 * as a subscription.
 */
export async function listPortalDuplicates(
  { db }: Pick<AppContext, 'db'>,
  { holder }: Pick<PortalCaller, 'holder'>,
): Promise<PortalDuplicate[]> {
  if (holder.kind !== 'wallet') return [];
  const { walletAddress } = holder;
  const duplicates = await db.duplicateSubscription.findMany({
    where: { walletAddress },
    orderBy: { createdAt: 'desc' },
    take: MAX_DUPLICATES,
    include: { plan: { include: { merchant: true } } },
  });
  if (duplicates.length === 0) return [];
  const collected = await db.subscription.findMany({
    where: { walletAddress, status: { in: [...COLLECTING] }, address: { in: duplicates.map(addressOf) } },
    select: { environment: true, address: true },
  });
  const shown = new Set(collected.map(keyOf));
  return duplicates.filter((duplicate) => !shown.has(keyOf(duplicate)));
}

const addressOf = ({ address }: { readonly address: string }) => address;
const keyOf = ({ environment, address }: Pick<DuplicateSubscription, 'environment' | 'address'>) =>
  `${environment} ${address}`;

/** What the wallet can do with such a subscription. */
export type DuplicateState =
  | { readonly action: 'cancel' | 'close' }
  /** It is cancelled, and can be closed from this time. */
  | { readonly action: null; readonly closableAt: Date };

/** Returns undefined if nothing is left to do: it is closed, or the wallet gets no deposit back. */
export function duplicateState(
  { account }: Pick<WalletState, 'account'>,
  now: Date,
): DuplicateState | undefined {
  if (account === null) return undefined;
  const { endsAt, isOwnRent } = account;
  if (endsAt === null) return { action: 'cancel' };
  if (!isOwnRent) return undefined;
  return endsAt <= now ? { action: 'close' } : { action: null, closableAt: endsAt };
}

/** The facts with which its account on chain is read. */
export async function paidBy({ address, walletAddress, plan }: PortalDuplicate): Promise<PaidSubscription> {
  const wallet = toAddress(walletAddress);
  const mint = toAddress(plan.mint);
  return {
    id: address,
    address,
    walletAddress,
    tokenAccount: await tokenAccountAddress(wallet, mint, plan.tokenProgram as Address),
    authority: await authorityAddress(wallet, mint),
    nextAmount: plan.amount,
    plan,
  };
}
