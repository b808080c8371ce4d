import type { Address } from '@solana/kit';
import { accountKind, decodeAuthority, decodePlan, decodeSubscription } from '../src/chain/accounts.ts';
import { authorityAddress } from '../src/chain/addresses.ts';
import type { ChainAccount } from '../src/chain/read-accounts.ts';
import { observeAuthorityClosed } from '../src/domain/subscription/observe-authority-closed.ts';
import { COLLECTING } from '../src/domain/subscription/status.ts';
import type { Mirror } from './mirror.ts';
import { readFresh, readSnapshot } from './read-fresh.ts';
import { seenByReading } from './seen-account.ts';

/**
 * Compares every account of the program, as of `minSlot` or later, with what is mirrored, and applies what differs the
 * same way as what a stream tells. What is mirrored as open and is not there is read once more, and closed. Answers with
 * how many differed.
 *
 * @throws where the cluster does not answer, or the mirror has been stopped
 */
export async function applySnapshot(mirror: Mirror, minSlot: bigint): Promise<number> {
  const { chain, ctx, environment } = mirror;
  const { slot, accounts } = await readSnapshot(chain, minSlot);
  // After the snapshot: what was mirrored since then is newer than it, and is left alone.
  const mirrored = await ctx.db.chainAccount.findMany({ where: { environment, slot: { lte: slot } } });
  const known = new Map(mirrored.map((row) => [row.address, row]));
  const ours = await ourAccounts(mirror, accounts);

  const { position } = mirror;
  const different = ours.filter(({ address, data }) => {
    const row = known.get(address);
    if (!row || row.closed || Buffer.compare(row.data, Buffer.from(data)) !== 0) return true;
    // Mirrored, and perhaps in hand still when a process died: everything up to the position was finished.
    return position === undefined || row.slot > position;
  });
  const there = new Set<string>(accounts.map(({ address }) => address));
  const missing = mirrored.filter((row) => !row.closed && !there.has(row.address));
  const again = await readFresh(
    chain,
    missing.map(({ address }) => address as Address),
    slot,
  );
  const gone = again.filter(({ data }) => data === null);
  const done = await Promise.all([
    ...different.map((account) => mirror.account(seenByReading(account.address, account, slot))),
    ...gone.map((seen) => mirror.account(seen)),
  ]);
  if (!done.every(Boolean)) throw new Error('The mirror has been stopped');
  await endUnpayable(mirror, slot, accounts, ours);
  return different.length + gone.length;
}

/** Plans of ours, subscriptions to them, and whatever is not readable any more at an address that was one. */
async function ourAccounts(
  { ctx: { db }, environment }: Mirror,
  accounts: readonly ChainAccount[],
): Promise<ChainAccount[]> {
  const [plans, subscriptions] = await Promise.all([
    db.plan.findMany({ where: { environment }, select: { address: true } }),
    db.subscription.findMany({ where: { environment }, select: { address: true } }),
  ]);
  const planAddresses = new Set(plans.map(({ address }) => address));
  const subscriptionAddresses = new Set(subscriptions.map(({ address }) => address));
  return accounts.filter(({ address, data }) => {
    const kind = accountKind(data);
    if (kind === 'authority') return false;
    if (kind === 'subscription') return planAddresses.has(decodeSubscription(data).plan);
    return planAddresses.has(address) || subscriptionAddresses.has(address);
  });
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
    const { user, mint, initId } = decodeAuthority(data);
    authorities.set(`${user} ${mint}`, initId);
  }
  const mints = new Map(
    ours.flatMap(({ address, data }) =>
      accountKind(data) === 'plan' ? [[address, decodePlan(data).mint] as const] : [],
    ),
  );
  const orphans = ours.flatMap(({ address, data }) => {
    if (accountKind(data) !== 'subscription') return [];
    const { subscriber, plan, initId } = decodeSubscription(data);
    const mint = mints.get(plan);
    return mint && authorities.get(`${subscriber} ${mint}`) !== initId ? [{ address, subscriber, mint }] : [];
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
