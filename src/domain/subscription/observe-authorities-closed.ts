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

/** A subscription that is collected from, and the authority that it is paid through. */
interface PaidThrough {
  readonly id: string;
  readonly address: Address;
  readonly authority: ClosedAuthority;
}

/**
 * Authorities that wallets pay through in one asset were closed, each named once: every subscription that was made under
 * one is dead, for a new authority has another number. Those made under a new one since then go on. One that cannot be
 * read or booked holds up no other. Answers with what went wrong, by the authority's address.
 *
 * @throws where the cluster or the database does not answer
 */
export async function observeAuthoritiesClosed(
  ctx: AppContext,
  environment: Environment,
  closed: readonly ClosedAuthority[],
): Promise<ReadonlyMap<Address, unknown>> {
  const failures = new Map<Address, unknown>();
  const paid = await paidThroughAny(ctx, environment, closed);
  const asked = paid.flatMap(({ address, authority }) => [address, authority.address]);
  const accounts = await readAccounts(chainOf(ctx, environment), asked);
  const dead = new Map<string, ClosedAuthority>();
  for (const [index, { id, authority }] of paid.entries()) {
    try {
      if (!livesOn(accounts[2 * index], accounts[2 * index + 1], authority)) dead.set(id, authority);
    } catch (error) {
      failures.set(authority.address, error);
    }
  }
  const refused = await changeSubscriptions(ctx, [...dead.keys()], ({ book }, at) => {
    const accessUntil = paidThrough(book.subscription, at);
    return endSubscription(book, { reason: 'authority_revoked', accessUntil, at });
  });
  for (const [id, error] of refused) {
    const authority = dead.get(id);
    if (authority) failures.set(authority.address, error);
  }
  return failures;
}

/** The same for one. Rejects with what went wrong. */
export async function observeAuthorityClosed(
  ctx: AppContext,
  environment: Environment,
  closed: ClosedAuthority,
): Promise<void> {
  const failures = await observeAuthoritiesClosed(ctx, environment, [closed]);
  for (const error of failures.values()) throw error;
}

async function paidThroughAny(
  { db }: AppContext,
  environment: Environment,
  closed: readonly ClosedAuthority[],
): Promise<PaidThrough[]> {
  if (closed.length === 0) return [];
  const running = await db.subscription.findMany({
    where: {
      environment,
      walletAddress: { in: [...new Set(closed.map(({ user }) => user))] },
      status: { in: [...COLLECTING] },
    },
    select: { id: true, address: true, walletAddress: true, plan: { select: { mint: true } } },
  });
  const byAddress = new Map(closed.map((authority) => [authority.address, authority]));
  const paid: PaidThrough[] = [];
  for (const { id, address: pda, walletAddress, plan } of running) {
    const authority = byAddress.get(await authorityAddress(address(walletAddress), address(plan.mint)));
    if (authority) paid.push({ id, address: address(pda), authority });
  }
  return paid;
}

/**
 * The subscription was made under an authority that is there now: we hear of the close late.
 *
 * @throws AccountLayoutError where either cannot be read
 */
function livesOn(
  subscription: ChainAccount | undefined,
  authority: ChainAccount | undefined,
  closed: ClosedAuthority,
): boolean {
  if (!isOurs(subscription) || !isOurs(authority)) return false;
  const isSame = decodeSubscription(subscription.data).initId === decodeAuthority(authority.data).initId;
  // What was so before the close says nothing against it.
  return isSame && subscription.slot >= closed.slot && authority.slot >= closed.slot;
}

// What is closed may be given lamports by anyone: it is there, and nobody's.
function isOurs(account: ChainAccount | undefined): account is ChainAccount {
  return account?.owner === PROGRAM;
}
