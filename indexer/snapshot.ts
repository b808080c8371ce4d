import { type Address, address } from '@solana/kit';
import { authorityFacts, subscriptionFacts } from '../src/chain/account-facts.ts';
import { accountKind } from '../src/chain/accounts.ts';
import { authorityAddress } from '../src/chain/addresses.ts';
import type { ChainAccount } from '../src/chain/read-accounts.ts';
import { observeAuthorityClosed } from '../src/domain/subscription/observe-authority-closed.ts';
import { COLLECTING } from '../src/domain/subscription/status.ts';
import { compareAccounts, expectedAddresses } from './differing-accounts.ts';
import type { Mirror } from './mirror.ts';
import { readFresh, readSnapshot } from './read-fresh.ts';
import { type SeenAccount, seenByReading } from './seen-account.ts';

/**
 * Compares every account of the program, as of `minSlot` or later, with what is mirrored, and applies what differs the
 * same way as what a stream tells. What should be there and is not is read once more, and closed. Answers with those that
 * differed.
 *
 * @throws where the cluster does not answer, or the mirror has been stopped
 */
export async function applySnapshot(mirror: Mirror, minSlot: bigint): Promise<Address[]> {
  const { chain, ctx, environment, position } = mirror;
  const { slot, accounts } = await readSnapshot(chain, minSlot);
  const { differing, ours } = await compareAccounts(ctx, environment, accounts, { slot, position });
  await applyAll(
    mirror,
    differing.map((account) => seenByReading(account.address, account, slot)),
  );
  const there = new Set<string>(accounts.map(({ address }) => address));
  const gone: SeenAccount[] = [];
  for await (const page of expectedAddresses(ctx, environment, slot)) {
    const missing = page.filter((address) => !there.has(address));
    const again = await readFresh(chain, missing, slot);
    gone.push(...again.filter(({ data }) => data === null));
  }
  await applyAll(mirror, gone);
  await endUnpayable(mirror, slot, accounts, ours);
  return [...differing, ...gone].map(({ address }) => address);
}

/** Some at a time: nobody wants all of a first snapshot to wait side by side. */
async function applyAll(mirror: Mirror, seen: readonly SeenAccount[]): Promise<void> {
  const done: Promise<boolean>[] = [];
  for (const each of seen) {
    await mirror.room();
    done.push(mirror.account(each));
  }
  if (!(await Promise.all(done)).every(Boolean)) throw new Error('The mirror has been stopped');
}

/** Subscriptions whose authority is not there any more, or is another one: no transfer can come of them. */
async function endUnpayable(
  { ctx, environment }: Mirror,
  slot: bigint,
  accounts: readonly ChainAccount[],
  ours: readonly ChainAccount[],
): Promise<void> {
  const authorities = new Map<string, bigint>();
  for (const { data } of accounts) {
    if (accountKind(data) !== 'authority') continue;
    const { user, mint, initId } = authorityFacts(data);
    authorities.set(`${user} ${mint}`, initId);
  }
  const plans = await ctx.db.plan.findMany({ where: { environment }, select: { address: true, mint: true } });
  const mints = new Map(plans.map((plan) => [plan.address, address(plan.mint)]));
  const orphans = ours.flatMap((account) => {
    if (accountKind(account.data) !== 'subscription') return [];
    const { subscriber, plan, initId } = subscriptionFacts(account.data);
    const mint = mints.get(plan);
    if (!mint || authorities.get(`${subscriber} ${mint}`) === initId) return [];
    return [{ address: account.address, subscriber, mint }];
  });
  const running = await ctx.db.$queryRaw<{ address: string }[]>`
    SELECT "address" FROM "Subscription"
    WHERE "environment" = ${environment}::"Environment" AND "status"::text = ANY(${[...COLLECTING]})
      AND "address" = ANY(${orphans.map(({ address }) => address)})`;
  const stillRunning = new Set(running.map(({ address }) => address));
  for (const { address, subscriber, mint } of orphans) {
    if (!stillRunning.has(address)) continue;
    const authority = await authorityAddress(subscriber, mint);
    await observeAuthorityClosed(ctx, environment, { address: authority, user: subscriber, slot });
  }
}
