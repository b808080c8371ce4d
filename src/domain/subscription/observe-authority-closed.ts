import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeAuthority, decodeSubscription } from '../../chain/accounts.ts';
import { authorityAddress, PROGRAM } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { type ChainAccount, readAccounts } from '../../chain/read-accounts.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { type BillableSubscription, billable, lockSubscription } from '../payment/billable.ts';
import { announceSubscription } from './announce-subscription.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';
import { COLLECTING } from './status.ts';

export interface ClosedAuthority {
  readonly address: Address;
  /** Whose it was. */
  readonly user: Address;
  /** When it was closed. */
  readonly slot: bigint;
}

/**
 * The authority that a wallet pays through in one asset was closed: every subscription that was made under it is dead,
 * for a new authority has another number. Those made under a new one since then go on.
 */
export async function observeAuthorityClosed(
  ctx: AppContext,
  environment: Environment,
  closed: ClosedAuthority,
): Promise<void> {
  const running = await ctx.db.subscription.findMany({
    where: { environment, walletAddress: closed.user, status: { in: [...COLLECTING] } },
    ...billable,
  });
  const chain = chainOf(ctx, environment);
  for (const subscription of running) {
    const authority = await authorityAddress(closed.user, address(subscription.plan.mint));
    if (authority !== closed.address || (await livesOn(chain, subscription, closed))) continue;
    const ended = await ctx.db.$transaction(async (tx) => {
      const locked = await lockSubscription(tx, subscription.id);
      const at = ctx.clock.now();
      const accessUntil = paidThrough(locked, at);
      return endSubscription(tx, locked, { reason: 'authority_revoked', accessUntil, at });
    });
    if (ended) await announceSubscription(ctx, subscription);
  }
}

/** It was made under an authority that is there now: we hear of the close late. */
async function livesOn(
  chain: Chain,
  subscription: BillableSubscription,
  closed: ClosedAuthority,
): Promise<boolean> {
  const accounts = await readAccounts(chain, [address(subscription.address), closed.address]);
  const [account, authority] = accounts;
  if (!isOurs(account) || !isOurs(authority) || account.slot < closed.slot) return false;
  return decodeSubscription(account.data).initId === decodeAuthority(authority.data).initId;
}

// What is closed may be given lamports by anyone: it is there, and nobody's.
function isOurs(account: ChainAccount | undefined): account is ChainAccount {
  return account?.owner === PROGRAM;
}
