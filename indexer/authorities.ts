// Which authority a subscription is paid through. Its address follows from wallet and asset; finding it out takes some
// hundred microseconds, so it stands with the subscription.
import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import { authorityFacts, subscriptionFacts } from '../src/chain/account-facts.ts';
import { AccountLayoutError, accountKind } from '../src/chain/accounts.ts';
import { authorityAddress } from '../src/chain/addresses.ts';
import { asRows } from '../src/db-rows.ts';
import {
  type ClosedAuthority,
  observeAuthoritiesClosed,
} from '../src/domain/subscription/observe-authorities-closed.ts';
import { COLLECTING } from '../src/domain/subscription/status.ts';
import type { ExpectedAccount } from './expected-accounts.ts';
import type { Mirror } from './mirror.ts';
import type { SeenAccount } from './seen-account.ts';

/** A subscription that is collected from, and what it is paid through. */
export interface PaidThrough {
  readonly subscription: Address;
  readonly wallet: Address;
  readonly authority: Address;
}

/** Of the accounts that are subscriptions and collected from. Remembers what had to be found out. */
export async function authoritiesOf(
  { db }: Pick<AppContext, 'db'>,
  accounts: readonly ExpectedAccount[],
): Promise<PaidThrough[]> {
  const collected = accounts.flatMap(({ address, lives }) =>
    lives.filter(({ status }) => COLLECTING.includes(status)).map((life) => ({ ...life, address })),
  );
  const found: { id: string; authority: Address }[] = [];
  const paid: PaidThrough[] = [];
  for (const { id, address: subscription, wallet, mint, authority: kept } of collected) {
    const authority = kept ?? (await authorityAddress(wallet, mint));
    if (!kept) found.push({ id, authority });
    paid.push({ subscription, wallet, authority });
  }
  if (found.length > 0) {
    await db.$executeRaw`
      WITH locked AS (
        SELECT s."id", r."authority"
        FROM "Subscription" s JOIN jsonb_to_recordset(${asRows(found)}::jsonb) AS r("id" uuid, "authority" text)
          ON s."id" = r."id"
        -- In the order in which everybody locks them.
        ORDER BY s."id" FOR NO KEY UPDATE OF s
      )
      UPDATE "Subscription" SET "authority" = locked."authority" FROM locked WHERE "Subscription"."id" = locked."id"`;
  }
  return paid;
}

/**
 * Ends subscriptions whose authority is not there any more, or is another one: no transfer can come of them. Authorities
 * that cannot be read, and those of which one cannot be ended, are set aside.
 */
export async function endUnpayable(
  mirror: Mirror,
  paid: readonly PaidThrough[],
  seen: ReadonlyMap<Address, SeenAccount>,
): Promise<void> {
  const { ctx, environment } = mirror;
  const closed = new Map<Address, ClosedAuthority>();
  const unreadable = async ({ address, user: actor, slot }: ClosedAuthority, error: unknown) => {
    const touched = { kind: 'authority', address, actor } as const;
    await mirror.unreadable({ subject: { kind: 'account', address, touched }, slot }, error);
  };
  for (const { subscription, wallet: user, authority } of paid) {
    const data = seen.get(subscription)?.data;
    const through = seen.get(authority);
    if (!data || accountKind(data) !== 'subscription' || !through) continue;
    if (through.data && accountKind(through.data) !== 'authority') {
      const error = new AccountLayoutError(`Not an authority: ${through.data.length} bytes`);
      await unreadable({ address: authority, user, slot: through.slot }, error);
    } else if (!through.data || authorityFacts(through.data).initId !== subscriptionFacts(data).initId) {
      closed.set(authority, { address: authority, user, slot: through.slot });
    }
  }
  for (const [address, error] of await observeAuthoritiesClosed(ctx, environment, [...closed.values()])) {
    const authority = closed.get(address);
    if (authority) await unreadable(authority, error);
  }
}
