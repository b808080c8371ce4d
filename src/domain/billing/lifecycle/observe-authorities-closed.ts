import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { decodeAuthority, decodeSubscription } from '../../../chain/accounts/accounts.ts';
import { authorityAddress, PROGRAM } from '../../../chain/accounts/addresses.ts';
import { type ChainAccount, readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../book/status.ts';
import { chainAfterClose } from './chain-after-close.ts';
import { changeSubscriptions } from './change-subscriptions.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';

export interface ClosedAuthority {
  readonly address: Address;
  /** The user of the authority. */
  readonly user: Address;
  /** The slot of the close. */
  readonly slot: bigint;
}

/** A collected subscription and the authority through which it is paid. */
interface AffectedSubscription {
  readonly id: string;
  readonly address: Address;
  /** When it was created on chain, in unix seconds. */
  readonly chainCreatedAt: bigint;
  readonly authority: ClosedAuthority;
}

/**
 * Ends the subscriptions of closed authorities. `closed` names each authority once. A close ends
 * every subscription under the authority, because a new authority has another id; subscriptions
 * under a new one continue. A subscription that cannot be read or written does not stop the others.
 * Returns the errors by the authority's address.
 *
 * @throws if the cluster or the database does not respond
 */
export async function observeAuthoritiesClosed(
  ctx: AppContext,
  environment: Environment,
  closed: readonly ClosedAuthority[],
): Promise<ReadonlyMap<Address, unknown>> {
  const failures = new Map<Address, unknown>();
  const affected = await readAffectedSubscriptions(ctx, environment, closed);
  if (affected.length === 0) return failures;
  const addresses = affected.flatMap(({ address, authority }) => [address, authority.address]);
  const chain = await chainAfterClose(ctx, environment, {
    slots: closed.map(({ slot }) => slot),
    createdAt: affected.map(({ chainCreatedAt }) => chainCreatedAt),
  });
  const accounts = await readAccounts(chain, addresses, 'program');
  const ending = new Map<string, ClosedAuthority>();
  for (const [index, { id, authority }] of affected.entries()) {
    try {
      if (!belongsToOpenAuthority(accounts[2 * index], accounts[2 * index + 1], authority))
        ending.set(id, authority);
    } catch (error) {
      failures.set(authority.address, error);
    }
  }
  const writeErrors = await changeSubscriptions(ctx, [...ending.keys()], ({ book }, at) => {
    const accessUntil = paidThrough(book.subscription, at);
    return endSubscription(book, { reason: 'authority_revoked', accessUntil, at });
  });
  for (const [id, error] of writeErrors) {
    const authority = ending.get(id);
    if (authority) failures.set(authority.address, error);
  }
  return failures;
}

/** Ends the subscriptions of one closed authority. Rejects with its error. */
export async function observeAuthorityClosed(
  ctx: AppContext,
  environment: Environment,
  closed: ClosedAuthority,
): Promise<void> {
  const failures = await observeAuthoritiesClosed(ctx, environment, [closed]);
  for (const error of failures.values()) throw error;
}

async function readAffectedSubscriptions(
  { db }: AppContext,
  environment: Environment,
  closed: readonly ClosedAuthority[],
): Promise<AffectedSubscription[]> {
  if (closed.length === 0) return [];
  const running = await db.subscription.findMany({
    where: {
      environment,
      walletAddress: { in: [...new Set(closed.map(({ user }) => user))] },
      status: { in: [...COLLECTING] },
    },
    select: {
      id: true,
      address: true,
      chainCreatedAt: true,
      walletAddress: true,
      plan: { select: { mint: true } },
    },
  });
  const byAddress = new Map(closed.map((authority) => [authority.address, authority]));
  const affected: AffectedSubscription[] = [];
  for (const { id, address: pda, chainCreatedAt, walletAddress, plan } of running) {
    const authority = byAddress.get(await authorityAddress(address(walletAddress), address(plan.mint)));
    if (authority) affected.push({ id, address: address(pda), chainCreatedAt, authority });
  }
  return affected;
}

/**
 * Whether the subscription belongs to an authority that exists now, so that the close was of an
 * earlier authority.
 *
 * @throws AccountLayoutError if either cannot be read
 */
function belongsToOpenAuthority(
  subscription: ChainAccount | undefined,
  authority: ChainAccount | undefined,
  closed: ClosedAuthority,
): boolean {
  if (!isProgramAccount(subscription) || !isProgramAccount(authority)) return false;
  const isSame = decodeSubscription(subscription.data).initId === decodeAuthority(authority.data).initId;
  // A state before the close proves nothing.
  return isSame && subscription.slot >= closed.slot && authority.slot >= closed.slot;
}

// Anyone can send lamports to the address of a closed account: the account then exists with another
// owner.
function isProgramAccount(account: ChainAccount | undefined): account is ChainAccount {
  return account?.owner === PROGRAM;
}
