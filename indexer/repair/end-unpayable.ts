// The authority through which a subscription is paid. Its address derives from wallet and token.
// The derivation takes a few hundred microseconds, so the address is stored with the subscription.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../src/app.ts';
import { authorityFacts, subscriptionFacts } from '../../src/chain/accounts/account-facts.ts';
import { AccountLayoutError, accountKind } from '../../src/chain/accounts/accounts.ts';
import { authorityAddress } from '../../src/chain/accounts/addresses.ts';
import { recordsOf } from '../../src/db/bulk.ts';
import { COLLECTING } from '../../src/domain/billing/book/status.ts';
import {
  type ClosedAuthority,
  observeAuthoritiesClosed,
} from '../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import type { Mirror } from '../apply/mirror.ts';
import type { SeenAccount } from '../order/seen-account.ts';
import type { ExpectedAccount } from './expected-accounts.ts';

/** A collected subscription and its authority. */
export interface PaidThrough {
  readonly subscription: Address;
  readonly wallet: Address;
  readonly authority: Address;
}

/**
 * The authorities of the subscriptions among `accounts` that are collected. Stores the addresses
 * that had to be derived.
 */
export async function authoritiesOf(
  { db }: Pick<AppContext, 'db'>,
  accounts: readonly ExpectedAccount[],
): Promise<PaidThrough[]> {
  const collected = accounts.flatMap(({ address, subscriptions }) =>
    subscriptions
      .filter(({ status }) => COLLECTING.includes(status))
      .map((subscription) => ({ ...subscription, address })),
  );
  const derived: { id: string; authority: Address }[] = [];
  const paid: PaidThrough[] = [];
  for (const { id, address: subscription, wallet, mint, authority: stored } of collected) {
    const authority = stored ?? (await authorityAddress(wallet, mint));
    if (!stored) derived.push({ id, authority });
    paid.push({ subscription, wallet, authority });
  }
  if (derived.length > 0) {
    await db.$executeRaw`
      WITH locked AS (
        SELECT s."id", r."authority"
        FROM "Subscription" s JOIN ${recordsOf('Subscription', derived)} AS r
          ON s."id" = r."id"
        -- In the order in which all transactions lock them.
        ORDER BY s."id" FOR NO KEY UPDATE OF s
      )
      UPDATE "Subscription" SET "authority" = locked."authority" FROM locked WHERE "Subscription"."id" = locked."id"`;
  }
  return paid;
}

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
    const authorityAccount = seen.get(authority);
    if (!data || accountKind(data) !== 'subscription' || !authorityAccount) continue;
    if (authorityAccount.data && accountKind(authorityAccount.data) !== 'authority') {
      const error = new AccountLayoutError(
        `The account is not a subscription authority: it has ${authorityAccount.data.length} bytes`,
      );
      await setAsideAuthority({ address: authority, user, slot: authorityAccount.slot }, error);
    } else if (
      !authorityAccount.data ||
      authorityFacts(authorityAccount.data).initId !== subscriptionFacts(data).initId
    ) {
      closed.set(authority, { address: authority, user, slot: authorityAccount.slot });
    }
  }
  for (const [address, error] of await observeAuthoritiesClosed(ctx, environment, [...closed.values()])) {
    const authority = closed.get(address);
    if (authority) await setAsideAuthority(authority, error);
  }
}
