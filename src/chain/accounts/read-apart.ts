import { inChunks } from '../../async/in-chunks.ts';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { BillingError } from '../../errors.ts';
import type { Chain } from '../chain.ts';
import { asOfAny, NodeBehind } from '../rpc/as-of.ts';
import { RpcBusy } from '../rpc/rpc-nodes.ts';
import { CLOCK_SYSVAR, readAccounts } from './read-accounts.ts';

/**
 * Maximum parts of a batch that cannot be read. Three steps reach a single item of a batch of 228,
 * with at most 244 more calls of `read`.
 */
const MAX_PARTS = 16;
/** Maximum parts that are read at the same time, so that they do not use up the nodes' budget. */
const MAX_CONCURRENT = 8;
/** Maximum time to read one part, over all nodes. */
const PART_TIMEOUT_MS = 10_000;
/** Maximum time to read a batch and all of its parts: less than the duration of a claim. */
const TIMEOUT_MS = 40_000;

/** An item whose accounts were not read although the cluster answers. */
export class Unread {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Consecutive items of a batch. `start` is the position of the first one. */
interface Part<T> {
  readonly start: number;
  readonly items: readonly T[];
}

/**
 * Reads the accounts of the items together. If that fails although the cluster answers, reads them
 * in smaller parts, so that an account that no node can read concerns only its own item. Items that
 * are not read in parts either, because the nodes are busy or the time is over, are unread too.
 *
 * @throws NodeBehind, RpcBusy, BillingError, and the error of a cluster that does not answer, from
 *   the read of all items together
 */
export async function readApart<T, R>(
  chain: Chain,
  items: readonly T[],
  read: (chain: Chain, items: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly (R | Unread)[]> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const limited = (): Chain => {
    return { ...chain, readSignal: AbortSignal.any([deadline, AbortSignal.timeout(PART_TIMEOUT_MS)]) };
  };
  try {
    return await read(limited(), items);
  } catch (error) {
    if (concernsAll(error) || !(await answers(limited()))) throw error;
    if (items.length === 1) return [new Unread(error)];
  }
  const results: (R | Unread)[] = new Array(items.length);
  /** Reads a part. Returns the smaller parts that must be read instead. */
  const readPart = async (part: Part<T>): Promise<Part<T>[]> => {
    const { start, items: partItems } = part;
    try {
      deadline.throwIfAborted();
      for (const [index, result] of (await read(limited(), partItems)).entries()) {
        results[start + index] = result;
      }
    } catch (error) {
      const maySplit = partItems.length > 1 && !concernsAll(error);
      if (maySplit && (await answers(limited()))) return split(part);
      results.fill(new Unread(error), start, start + partItems.length);
    }
    return [];
  };
  // Parts of the same size are read before smaller ones.
  let parts = split({ start: 0, items });
  while (parts.length > 0) parts = (await mapConcurrently(parts, MAX_CONCURRENT, readPart)).flat();
  return results;
}

function split<T>({ start, items }: Part<T>): Part<T>[] {
  const size = Math.ceil(items.length / MAX_PARTS);
  return [...inChunks(items, size)].map((part, index) => ({ start: start + index * size, items: part }));
}

/** All nodes are behind or busy, or the budget of callers without a key is used up. */
function concernsAll(error: unknown): boolean {
  return error instanceof NodeBehind || error instanceof RpcBusy || error instanceof BillingError;
}

/**
 * Whether the cluster answers the same method for an account that nobody else can change. A cluster
 * whose budget is used up at the moment does.
 */
function answers(chain: Chain): Promise<boolean> {
  return readAccounts(asOfAny(chain), [CLOCK_SYSVAR], 'fields').then(
    () => true,
    (error) => error instanceof RpcBusy,
  );
}
