import type { Address, ReadonlyUint8Array } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { authorityFacts, subscriptionFacts } from '../../../chain/accounts/account-facts.ts';
import { AccountLayoutError, accountKind } from '../../../chain/accounts/accounts.ts';
import { authorityAddress } from '../../../chain/accounts/addresses.ts';
import { recordsOf } from '../../../db/bulk.ts';
import type { SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../book/status.ts';

/** A collected subscription and its authority. */
export interface PaidThrough {
  readonly subscription: Address;
  readonly wallet: Address;
  readonly authority: Address;
}

/** A subscription as its row names it. */
export interface KnownPayer {
  readonly id: string;
  readonly address: Address;
  readonly status: SubscriptionStatus;
  readonly wallet: Address;
  readonly mint: Address;
  /** Undefined if it was never derived. */
  readonly authority: Address | undefined;
}

/**
 * The authorities of the subscriptions that are collected. Stores the addresses that had to be
 * derived: a derivation takes a few hundred microseconds.
 */
export async function authoritiesOf(
  { db }: Pick<AppContext, 'db'>,
  subscriptions: readonly KnownPayer[],
): Promise<PaidThrough[]> {
  const collected = subscriptions.filter(({ status }) => COLLECTING.includes(status));
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
 * Whether nothing can be pulled for a subscription, because the authority no longer exists or was
 * created again. `authority` is the data at its address; null if there is no account.
 *
 * @throws AccountLayoutError if the account is not an authority
 */
export function isAuthorityGone(
  subscription: ReadonlyUint8Array,
  authority: ReadonlyUint8Array | null,
): boolean {
  if (!authority) return true;
  if (accountKind(authority) === 'authority') {
    return authorityFacts(authority).initId !== subscriptionFacts(subscription).initId;
  }
  throw new AccountLayoutError(
    `The account is not a subscription authority: it has ${authority.length} bytes`,
  );
}
