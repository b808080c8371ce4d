import type { Address } from '@solana/kit';
import type { Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import { commitmentOf } from '../rpc/context.ts';
import { configOf, invalidParams, oneOf, stringOf, stringsOf } from '../rpc/params.ts';
import { parseAddress, type Topic, type Watch, withSlot } from './topic.ts';
import { WatchIndex } from './watch-index.ts';

interface LogsParams {
  /** `all` and `allWithVotes` have the same effect, because this network has no votes. */
  readonly filter: 'all' | 'allWithVotes' | { readonly mentions: Address };
  readonly commitment: Commitment;
}

/**
 * logsSubscribe: `["all" | "allWithVotes" | {mentions: [address]}, {commitment}]`, including failed
 * transactions.
 */
export class LogsTopic implements Topic<LogsParams> {
  readonly name = 'logs';
  readonly arity = [1, 2] as const;
  #watches = new WatchIndex<Address | 'all', LogsParams>(({ filter }) =>
    typeof filter === 'string' ? 'all' : filter.mentions,
  );

  parse([filter, config]: readonly unknown[]): LogsParams {
    const { commitment } = configOf(config);
    return { filter: parseFilter(filter), commitment: commitmentOf(commitment) };
  }

  add(watch: Watch<LogsParams>): void {
    this.#watches.add(watch);
  }

  remove(watch: Watch<LogsParams>): void {
    this.#watches.remove(watch);
  }

  transactionsReached(commitment: Commitment, slot: number, records: readonly TransactionRecord[]): void {
    if (this.#watches.isEmpty(commitment)) return;
    for (const record of records) {
      const { signature, err, logs } = record;
      const result = withSlot(slot, { signature, err, logs });
      for (const watch of this.#watches.get(commitment, 'all')) watch.notify(result);
      for (const address of record.accountKeys) {
        for (const watch of this.#watches.get(commitment, address)) watch.notify(result);
      }
    }
  }
}

function parseFilter(value: unknown): LogsParams['filter'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return oneOf(stringOf(value), ['all', 'allWithVotes'], 'all');
  }
  const [[kind, addresses] = [], ...others] = Object.entries(value);
  if (kind === undefined || others.length > 0) {
    throw invalidParams('Invalid params: invalid value: map, expected map with a single key.');
  }
  oneOf(kind, ['mentions'], 'mentions');
  const [address, ...more] = stringsOf(addresses);
  if (address === undefined || more.length > 0) {
    throw invalidParams('Invalid Request: Only 1 address supported');
  }
  return { mentions: parseAddress(address, 'mentions') };
}
