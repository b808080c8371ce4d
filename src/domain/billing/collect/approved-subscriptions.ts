import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { authorityFacts, subscriptionFacts } from '../../../chain/accounts/account-facts.ts';
import { accountKind } from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/** A token account, and the authority that is its delegate. */
export interface DelegatedAccount {
  readonly tokenAccount: Address;
  readonly authority: Address;
}

/**
 * The addresses of PAST_DUE subscriptions that are paid from these accounts and whose authority
 * still exists, by token account. An authority that was created again pays for none of the older
 * subscriptions.
 *
 * @throws if the cluster or the database does not respond
 */
export async function approvedSubscriptions(
  { db }: Pick<AppContext, 'db'>,
  chain: Chain,
  environment: Environment,
  accounts: readonly DelegatedAccount[],
): Promise<ReadonlyMap<string, string[]>> {
  const initIds = await readInitIds(chain, accounts);
  const subscriptions = await db.subscription.findMany({
    where: { environment, tokenAccount: { in: [...initIds.keys()] }, status: 'PAST_DUE' },
    select: { address: true, tokenAccount: true },
  });
  const mirrored = await db.chainAccount.findMany({
    where: { environment, closed: false, address: { in: subscriptions.map(({ address }) => address) } },
  });
  const initIdsOfSubscriptions = new Map(
    mirrored
      .filter(({ data }) => accountKind(data) === 'subscription')
      .map(({ address, data }) => [address, subscriptionFacts(data).initId]),
  );
  const approved = subscriptions.filter(
    ({ address, tokenAccount }) => initIdsOfSubscriptions.get(address) === initIds.get(tokenAccount),
  );
  const byTokenAccount = Map.groupBy(approved, ({ tokenAccount }) => tokenAccount);
  return new Map(
    [...byTokenAccount].map(([tokenAccount, group]) => [tokenAccount, group.map(({ address }) => address)]),
  );
}

/** The ids of the authorities that exist, by token account. */
async function readInitIds(
  chain: Chain,
  accounts: readonly DelegatedAccount[],
): Promise<ReadonlyMap<string, bigint>> {
  const authorities = await readAccounts(
    chain,
    accounts.map(({ authority }) => authority),
    'fields',
  );
  const initIds = new Map<string, bigint>();
  for (const [index, { tokenAccount }] of accounts.entries()) {
    const account = authorities[index];
    if (account?.owner !== PROGRAM || accountKind(account.data) !== 'authority') continue;
    initIds.set(tokenAccount, authorityFacts(account.data).initId);
  }
  return initIds;
}
