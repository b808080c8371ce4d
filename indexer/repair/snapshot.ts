import type { Address } from '@solana/kit';
import { authoritiesOf, type PaidThrough } from '../../src/domain/billing/lifecycle/authorities-of.ts';
import { applyAll } from '../apply/apply-all.ts';
import type { Mirror } from '../apply/mirror.ts';
import { readFresh } from '../apply/read-fresh.ts';
import type { SeenAccount } from '../order/seen-account.ts';
import { endUnpayable } from './end-unpayable.ts';
import { type ExpectedAccount, type ExpectedPage, expectedAccounts } from './expected-accounts.ts';
import { needsApplying } from './needs-applying.ts';

/** A page of accounts, as stored and as read. */
export interface Page {
  readonly expected: readonly ExpectedAccount[];
  readonly paid: readonly PaidThrough[];
  readonly seen: ReadonlyMap<Address, SeenAccount>;
}

/**
 * Reads every account that can concern our books, at `minSlot` or later, and applies differences
 * like updates of a stream. A missing account counts as closed. A page is read while the previous
 * one is applied, so at most two are in memory.
 *
 * @param onDiffering called with each address that differed
 * @throws if the cluster does not respond or the mirror was stopped
 */
export async function applySnapshot(
  mirror: Mirror,
  minSlot: bigint,
  onDiffering: (address: Address) => void = () => undefined,
): Promise<void> {
  const { position } = mirror;
  const pages = expectedAccounts(mirror.ctx, mirror.environment);
  for (let reading = nextPage(mirror, minSlot, pages); ; ) {
    const page = await reading;
    if (!page) return;
    reading = nextPage(mirror, minSlot, pages);
    // A failure is reported when the page is used.
    reading.catch(() => undefined);
    const differing = await applyPage(mirror, page, position);
    for (const { address } of differing) onDiffering(address);
  }
}

/** Applies the differences of a page, and returns the accounts that differed. */
export async function applyPage(
  mirror: Mirror,
  { expected, paid, seen }: Page,
  position: bigint | undefined,
): Promise<readonly SeenAccount[]> {
  const differing = expected.flatMap((account) => {
    const read = seen.get(account.address);
    return read && needsApplying(account, read, position) ? read : [];
  });
  await applyAll(mirror, differing);
  await endUnpayable(mirror, paid, seen);
  return differing;
}

async function nextPage(
  mirror: Mirror,
  minSlot: bigint,
  pages: AsyncGenerator<ExpectedPage>,
): Promise<Page | undefined> {
  const { value, done } = await pages.next();
  return done ? undefined : readPage(mirror, minSlot, value.accounts);
}

/** Reads these accounts and their authorities. */
export async function readPage(
  { ctx, chain }: Mirror,
  minSlot: bigint,
  expected: readonly ExpectedAccount[],
): Promise<Page> {
  const paid = await authoritiesOf(
    ctx,
    expected.flatMap(({ address, subscriptions }) =>
      subscriptions.map((subscription) => ({ ...subscription, address })),
    ),
  );
  const addresses = new Set(expected.map(({ address }) => address));
  for (const { authority } of paid) addresses.add(authority);
  const read = await readFresh(chain, [...addresses], minSlot);
  return { expected, paid, seen: new Map(read.map((seen) => [seen.address, seen])) };
}
