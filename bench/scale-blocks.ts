// The number of pulls that fit in a block, by the validators' cost model (Agave's `cost_model` and
// `cost_tracker`).

/** The cost of a signature, in compute units. The following costs have the same unit. */
const SIGNATURE = 720;
const WRITE_LOCK = 300;
const DATA_BYTES_PER_UNIT = 4;
/** The cost of each requested page of loaded accounts, whether it is used or not. */
const LOADED_PAGE = 8;
const LOADED_PAGE_BYTES = 32 * 1024;

/** A transfer transaction as the collector sends it. */
export interface PullTransaction {
  readonly pulls: number;
  /** The requested compute units, not the used ones. */
  readonly computeUnits: number;
  readonly signatures: number;
  readonly writable: readonly string[];
  readonly dataBytes: number;
  readonly loadedBytes: number;
}

export interface BlockLimits {
  /** The limit for all transactions that write one account. */
  readonly account: number;
  readonly block: number;
  readonly slotMs: number;
}

/** The cost of a transaction in compute units. */
export function computeCost(transaction: PullTransaction): number {
  const { computeUnits, signatures, writable, dataBytes, loadedBytes } = transaction;
  const loaded = Math.ceil(loadedBytes / LOADED_PAGE_BYTES) * LOADED_PAGE;
  const data = Math.floor(dataBytes / DATA_BYTES_PER_UNIT);
  return computeUnits + signatures * SIGNATURE + writable.length * WRITE_LOCK + data + loaded;
}

/**
 * Pulls per second if blocks contain nothing else. A block is filled with transactions in order
 * until one does not fit.
 */
export function pullsPerSecond(transactions: Iterable<PullTransaction>, limits: BlockLimits): number {
  const accounts = new Map<string, number>();
  let block = 0;
  let pulls = 0;
  for (const transaction of transactions) {
    const cost = computeCost(transaction);
    const written = transaction.writable.map(
      (account) => [account, (accounts.get(account) ?? 0) + cost] as const,
    );
    if (block + cost > limits.block || written.some(([, sum]) => sum > limits.account)) break;
    for (const [account, sum] of written) accounts.set(account, sum);
    block += cost;
    pulls += transaction.pulls;
  }
  return pulls / (limits.slotMs / 1000);
}

/**
 * Yields the transactions repeatedly, each time for the next merchant and the next collector, with
 * payers that are in no other transaction.
 *
 * @param shared the merchant's token account and the collector in the transactions
 */
export function* repeatTransactions(
  transactions: readonly PullTransaction[],
  { merchants, collectors }: { readonly merchants: number; readonly collectors: number },
  shared: { readonly merchant: string; readonly collector: string },
): Generator<PullTransaction> {
  for (let n = 0; ; n++) {
    const next = transactions[n % transactions.length] as PullTransaction;
    const writable = next.writable.map((account) => {
      if (account === shared.merchant) return `merchant ${n % merchants}`;
      return account === shared.collector ? `collector ${n % collectors}` : `${account} ${n}`;
    });
    yield { ...next, writable };
  }
}
