import type { Address } from '@solana/kit';
import { PROGRAM, subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import type { ChainTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import { decodeEvents, EventLayoutError } from '../../src/chain/transactions/program-events.ts';
import { countBackfilled } from '../../src/observability/metrics/counters.ts';
import { applyAll } from '../apply/apply-all.ts';
import type { Mirror } from '../apply/mirror.ts';
import { readFresh } from '../apply/read-fresh.ts';
import { findRelevantAccounts } from '../relevant-accounts.ts';

/**
 * Reads our accounts that these transactions name, at the newest of their slots, and applies them,
 * as an account stream would have done. Authorities are left out: only their closing concerns us,
 * and it is a part of its transaction. Returns how many transactions name none of our accounts.
 *
 * @throws if the cluster does not respond or the mirror was stopped
 */
export async function applyNamed(mirror: Mirror, transactions: readonly ChainTransaction[]): Promise<number> {
  const { ctx, environment, chain } = mirror;
  const named = transactions.map((transaction) => new Set(namedBy(transaction)));
  const addresses = new Set(named.flatMap((addresses) => [...addresses]));
  const relevant = await findRelevantAccounts(
    ctx,
    environment,
    [...addresses].map((address) => ({ address })),
  );
  const toRead = new Set([...addresses].filter((address) => relevant.has(address)));
  let foreign = 0;
  let newest = 0n;
  for (const [index, transaction] of transactions.entries()) {
    if (![...(named[index] ?? [])].some((address) => relevant.has(address))) {
      foreign += 1;
      continue;
    }
    if (transaction.slot > newest) newest = transaction.slot;
    for (const address of await newSubscriptions(transaction, relevant)) toRead.add(address);
  }
  countBackfilled(environment, { ours: transactions.length - foreign, foreign });
  if (toRead.size > 0) await applyAll(mirror, await readFresh(chain, [...toRead], newest));
  return foreign;
}

function namedBy({ instructions }: ChainTransaction): Address[] {
  return instructions.flatMap(({ program, accounts }) => (program === PROGRAM ? accounts : []));
}

/** New subscriptions to our plans, which may be unknown yet. */
async function newSubscriptions(
  transaction: ChainTransaction,
  relevant: ReadonlySet<string>,
): Promise<Address[]> {
  const created = eventsOf(transaction).filter((event) => event.type === 'created');
  return Promise.all(
    created
      .filter(({ plan }) => relevant.has(plan))
      .map(({ plan, subscriber }) => subscriptionAddress(plan, subscriber)),
  );
}

/** The events; none if one is unreadable, because the whole transaction was then set aside. */
function eventsOf(transaction: ChainTransaction): ReturnType<typeof decodeEvents> {
  try {
    return decodeEvents(transaction);
  } catch (error) {
    if (error instanceof EventLayoutError) return [];
    throw error;
  }
}
