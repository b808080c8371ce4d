import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeAuthority, decodeSubscription } from '../../chain/accounts.ts';
import { authorityAddress, PROGRAM } from '../../chain/addresses.ts';
import { type ChainAccount, readAccounts } from '../../chain/read-accounts.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { changeSubscriptions } from './change-lives.ts';
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
 * Authorities that wallets pay through in one asset were closed: every subscription that was made under one is dead, for a
 * new authority has another number. Those made under a new one since then go on.
 */
export async function observeAuthoritiesClosed(
  ctx: AppContext,
  environment: Environment,
  closed: readonly ClosedAuthority[],
): Promise<void> {
  if (closed.length === 0) return;
  const running = await ctx.db.subscription.findMany({
    where: {
      environment,
      walletAddress: { in: [...new Set(closed.map(({ user }) => user))] },
      status: { in: [...COLLECTING] },
    },
    select: { id: true, address: true, walletAddress: true, plan: { select: { mint: true } } },
  });
  const byAddress = new Map(closed.map((authority) => [authority.address, authority]));
  const paidThroughThem: { id: string; address: Address; authority: ClosedAuthority }[] = [];
  for (const { id, address: pda, walletAddress, plan } of running) {
    const authority = byAddress.get(await authorityAddress(address(walletAddress), address(plan.mint)));
    if (authority) paidThroughThem.push({ id, address: address(pda), authority });
  }
  const asked = paidThroughThem.flatMap(({ address, authority }) => [address, authority.address]);
  const accounts = await readAccounts(chainOf(ctx, environment), asked);
  const dead = paidThroughThem.filter(
    ({ authority }, index) => !livesOn(accounts[2 * index], accounts[2 * index + 1], authority),
  );
  await changeSubscriptions(
    ctx,
    dead.map(({ id }) => id),
    ({ book }, at) => {
      const accessUntil = paidThrough(book.subscription, at);
      return endSubscription(book, { reason: 'authority_revoked', accessUntil, at });
    },
  );
}

/** The subscription was made under an authority that is there now: we hear of the close late. */
function livesOn(
  subscription: ChainAccount | undefined,
  authority: ChainAccount | undefined,
  closed: ClosedAuthority,
): boolean {
  if (!isOurs(subscription) || !isOurs(authority)) return false;
  // The node may answer for the two in two calls.
  if (subscription.slot < closed.slot || authority.slot < closed.slot) return false;
  return decodeSubscription(subscription.data).initId === decodeAuthority(authority.data).initId;
}

// What is closed may be given lamports by anyone: it is there, and nobody's.
function isOurs(account: ChainAccount | undefined): account is ChainAccount {
  return account?.owner === PROGRAM;
}
