import type { Address } from '@solana/kit';
import type { Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import { INVALID_PARAMS, RpcError } from '../rpc/method.ts';
import { addressIn, commitmentIn, objectIn, positional, textIn, unexpected } from './params.ts';
import { inContext, type Topic, type Watch } from './topic.ts';
import { WatchIndex } from './watch-index.ts';

interface LogsParams {
  /** `all` and `allWithVotes` are told apart by nothing here: nobody votes on this network. */
  readonly filter: 'all' | 'allWithVotes' | { readonly mentions: Address };
  readonly commitment: Commitment;
}

const FILTERS = '`all`, `allWithVotes`, `mentions`';

/** logsSubscribe: `["all" | "allWithVotes" | {mentions: [address]}, {commitment}]`, told of failed transactions too. */
export class LogsTopic implements Topic<LogsParams> {
  readonly name = 'logs';
  #watches = new WatchIndex<Address | 'all', LogsParams>(({ filter }) =>
    typeof filter === 'string' ? 'all' : filter.mentions,
  );

  parse(params: unknown): LogsParams {
    const [filter, config] = positional(params, 1, 2);
    const parsed = parseFilter(filter);
    return { filter: parsed, commitment: commitmentIn(objectIn(config, 'RpcTransactionLogsConfig')) };
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
      const result = inContext(slot, { signature, err, logs });
      for (const watch of this.#watches.get(commitment, 'all')) watch.notify(result);
      for (const address of record.accountKeys) {
        for (const watch of this.#watches.get(commitment, address)) watch.notify(result);
      }
    }
  }
}

function parseFilter(value: unknown): LogsParams['filter'] {
  if (value === 'all' || value === 'allWithVotes') return value;
  if (typeof value === 'string') throw unknownFilter(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unexpected(value, 'string or map');
  }
  const entries = Object.entries(value);
  const [kind, addresses] = entries[0] ?? [];
  if (entries.length !== 1) {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: invalid value: map, expected map with a single key.');
  }
  if (kind !== 'mentions') throw unknownFilter(String(kind));
  if (!Array.isArray(addresses)) throw unexpected(addresses, 'a sequence');
  const texts = addresses.map(textIn);
  if (texts.length !== 1) throw new RpcError(INVALID_PARAMS, 'Invalid Request: Only 1 address supported');
  return { mentions: addressIn(texts[0] as string, 'mentions') };
}

function unknownFilter(name: string): RpcError {
  return new RpcError(
    INVALID_PARAMS,
    `Invalid params: unknown variant \`${name}\`, expected one of ${FILTERS}.`,
  );
}
