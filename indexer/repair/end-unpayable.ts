import type { Address } from '@solana/kit';
import { AccountLayoutError, accountKind } from '../../src/chain/accounts/accounts.ts';
import { isAuthorityGone, type PaidThrough } from '../../src/domain/billing/lifecycle/authorities-of.ts';
import {
  type ClosedAuthority,
  observeAuthoritiesClosed,
} from '../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import type { Mirror } from '../apply/mirror.ts';
import type { SeenAccount } from '../order/seen-account.ts';

/**
 * Ends subscriptions whose authority no longer exists or was created again, because nothing can be
 * pulled. An authority is set aside if its account has another layout, or if one of its
 * subscriptions cannot be ended.
 */
export async function endUnpayable(
  mirror: Mirror,
  paid: readonly PaidThrough[],
  seen: ReadonlyMap<Address, SeenAccount>,
): Promise<void> {
  const { ctx, environment } = mirror;
  const closed = new Map<Address, ClosedAuthority>();
  const setAsideAuthority = async ({ address, user: actor, slot }: ClosedAuthority, error: unknown) => {
    const touched = { kind: 'authority', address, actor } as const;
    await mirror.setAsideUnreadable({ subject: { kind: 'account', address, touched }, slot }, error);
  };
  for (const { subscription, wallet: user, authority } of paid) {
    const data = seen.get(subscription)?.data;
    const read = seen.get(authority);
    if (!data || accountKind(data) !== 'subscription' || !read) continue;
    const ended = { address: authority, user, slot: read.slot };
    try {
      if (isAuthorityGone(data, read.data)) closed.set(authority, ended);
    } catch (error) {
      if (!(error instanceof AccountLayoutError)) throw error;
      await setAsideAuthority(ended, error);
    }
  }
  for (const [address, error] of await observeAuthoritiesClosed(ctx, environment, [...closed.values()])) {
    const authority = closed.get(address);
    if (authority) await setAsideAuthority(authority, error);
  }
}
