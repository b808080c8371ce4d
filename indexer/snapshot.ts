import type { Address } from '@solana/kit';
import { authoritiesOf, endUnpayable, type PaidThrough } from './authorities.ts';
import { differs } from './differs.ts';
import { type ExpectedAccount, expectedAccounts } from './expected-accounts.ts';
import type { Mirror } from './mirror.ts';
import { readFresh } from './read-fresh.ts';
import type { SeenAccount } from './seen-account.ts';

/** Some accounts as we have them, and as they were read. */
interface Page {
  readonly expected: readonly ExpectedAccount[];
  readonly paid: readonly PaidThrough[];
  readonly seen: ReadonlyMap<Address, SeenAccount>;
}

/**
 * Reads every account that can concern the books, as of `minSlot` or later, and applies what differs from the mirror the
 * same way as what a stream tells; what is not there any more is closed. A page is read while the one before it is applied:
 * there are never more of them in memory.
 *
 * @param onDiffering is told of each address that differed
 * @throws where the cluster does not answer, or the mirror has been stopped
 */
export async function applySnapshot(
  mirror: Mirror,
  minSlot: bigint,
  onDiffering: (address: Address) => void = () => undefined,
): Promise<void> {
  const { position } = mirror;
  const pages = expectedAccounts(mirror.ctx, mirror.environment);
  for (let reading = readPage(mirror, minSlot, pages); ; ) {
    const page = await reading;
    if (!page) return;
    reading = readPage(mirror, minSlot, pages);
    // Where it fails, that is told of when its turn comes.
    reading.catch(() => undefined);
    const differing = page.expected.flatMap((account) => {
      const seen = page.seen.get(account.address);
      return seen && differs(account, seen, position) ? seen : [];
    });
    await applyAll(mirror, differing);
    for (const { address } of differing) onDiffering(address);
    await endUnpayable(mirror, page.paid, page.seen);
  }
}

async function readPage(
  { ctx, chain }: Mirror,
  minSlot: bigint,
  pages: AsyncGenerator<readonly ExpectedAccount[]>,
): Promise<Page | undefined> {
  const { value: expected, done } = await pages.next();
  if (done) return undefined;
  const paid = await authoritiesOf(ctx, expected);
  const addresses = new Set(expected.map(({ address }) => address));
  for (const { authority } of paid) addresses.add(authority);
  const read = await readFresh(chain, [...addresses], minSlot);
  return { expected, paid, seen: new Map(read.map((seen) => [seen.address, seen])) };
}

async function applyAll(mirror: Mirror, seen: readonly SeenAccount[]): Promise<void> {
  const done: Promise<boolean>[] = [];
  for (const each of seen) {
    await mirror.room();
    done.push(mirror.account(each));
  }
  if (!(await Promise.all(done)).every(Boolean)) throw new Error('The mirror has been stopped');
}
