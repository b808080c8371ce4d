import type { Address, Signature } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { NodeBehind } from './as-of.ts';
import { listSignatures, type SignatureInfo, signaturePages } from './chain-transaction.ts';

/** Page size of the first call, because most histories are short. */
const FIRST_PAGE_SIZE = 100;
/** Besides the newest page, this many oldest pages are kept; the others are listed again. */
const KEPT_PAGES = 20;

/** One page of the node, and its starting point. */
interface ListedPage {
  readonly before: Signature | undefined;
  readonly newest: Signature | undefined;
  readonly size: number;
  /** Undefined if it must be listed again. */
  newestFirst: readonly SignatureInfo[] | undefined;
}

/** The transactions that name an address since a slot, oldest first, in pages of at most 1,000. */
export interface History {
  /** Whether the node also listed an older transaction, so that none in between is missing. */
  readonly reachesBack: boolean;
  pages(): AsyncGenerator<readonly SignatureInfo[]>;
}

/**
 * Lists a history, which nodes return newest first, for reading it oldest first. Most pages of a
 * long history are listed again when they are read, so memory does not grow with them. Returns
 * undefined if the history has more than `maxPages` pages.
 *
 * @throws NodeBehind, also from `pages`, if nodes with different transactions returned the pages
 */
export async function historySince(chain: Chain, address: Address, since: bigint): Promise<History>;
export async function historySince(
  chain: Chain,
  address: Address,
  since: bigint,
  maxPages: number,
): Promise<History | undefined>;
export async function historySince(
  chain: Chain,
  address: Address,
  since: bigint,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<History | undefined> {
  const listed: ListedPage[] = [];
  let reachesBack = false;
  let before: Signature | undefined;
  for await (const page of signaturePages(chain, address, { firstLimit: FIRST_PAGE_SIZE })) {
    const newestFirst = page.filter(({ slot }) => slot >= since);
    reachesBack = newestFirst.length < page.length;
    if (newestFirst.length > 0) {
      if (listed.length === maxPages) return undefined;
      listed.push({ before, newest: page[0]?.signature, size: page.length, newestFirst });
    }
    // The newest page is kept, because listing it again would return other transactions.
    const dropped = listed.length > KEPT_PAGES + 1 ? listed[listed.length - 1 - KEPT_PAGES] : undefined;
    if (dropped) dropped.newestFirst = undefined;
    if (reachesBack) break;
    before = page.at(-1)?.signature;
  }
  return { reachesBack, pages: () => oldestFirst(chain, address, since, listed) };
}

async function* oldestFirst(
  chain: Chain,
  address: Address,
  since: bigint,
  listed: ListedPage[],
): AsyncGenerator<readonly SignatureInfo[]> {
  for (let page = listed.pop(); page; page = listed.pop()) {
    const newestFirst = page.newestFirst ?? (await listAgain(chain, address, page));
    yield newestFirst.filter(({ slot }) => slot >= since).reverse();
  }
}

async function listAgain(
  chain: Chain,
  address: Address,
  { before, newest, size }: ListedPage,
): Promise<readonly SignatureInfo[]> {
  const page = await listSignatures(chain, address, { before, limit: size });
  if (page.length < size || page[0]?.signature !== newest) {
    throw new NodeBehind(`The RPC node lacks transactions before ${before} that were listed earlier`);
  }
  return page;
}
