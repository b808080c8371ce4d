import { inChunks } from '../../async/in-chunks.ts';
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
/** Maximum time of one read, over all nodes. Three steps end within the duration of a claim. */
const READ_TIMEOUT_MS = 10_000;

/** An item whose accounts cannot be read although the cluster answers. */
export class Unread {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/**
 * Reads the accounts of the items together. If that fails although the cluster answers, reads them
 * in smaller parts, so that an account that no node can read concerns only its own item.
 *
 * @throws NodeBehind, RpcBusy, BillingError, and the error of a cluster that does not answer
 */
export async function readApart<T, R>(
  chain: Chain,
  items: readonly T[],
  read: (chain: Chain, items: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly (R | Unread)[]> {
  const limited = { ...chain, readTimeoutMs: READ_TIMEOUT_MS };
  try {
    return await read(limited, items);
  } catch (error) {
    if (concernsAll(error) || !(await answers(limited))) throw error;
    if (items.length === 1) return [new Unread(error)];
    const parts = [...inChunks(items, Math.ceil(items.length / MAX_PARTS))];
    return (await Promise.all(parts.map((part) => readApart(chain, part, read)))).flat();
  }
}

/** All nodes are behind or busy, or the budget of callers without a key is used up. */
function concernsAll(error: unknown): boolean {
  return error instanceof NodeBehind || error instanceof RpcBusy || error instanceof BillingError;
}

/** Whether the cluster answers the same method for an account that nobody else can change. */
function answers(chain: Chain): Promise<boolean> {
  return readAccounts(asOfAny(chain), [CLOCK_SYSVAR], 'fields').then(
    () => true,
    () => false,
  );
}
