import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS as PROGRAM } from '@solana/subscriptions';
import yellowstone, {
  type ClientDuplexStream,
  CommitmentLevel,
  SlotStatus,
  type SubscribeRequest,
  type SubscribeUpdate,
  type SubscribeUpdateAccount,
} from '@triton-one/yellowstone-grpc';
import { settledWithin } from '../../async/settled-within.ts';
import { decodeBase58, encodeBase58 } from '../../base58/base58.ts';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Config } from '../../config.ts';
import type { Logger } from '../../observability/log.ts';
import { publicPart, rootMessage } from '../../observability/public-urls.ts';
import { ClusterUnusable } from '../chain.ts';
import type { ChainTransaction } from './chain-transaction.ts';
import { isUnreachable } from './is-unreachable.ts';
import { fromYellowstone } from './yellowstone-transaction.ts';

// The package's types describe its CommonJS build, where the class is one `default` deeper than in
// the ESM build.
const YellowstoneClient = yellowstone as unknown as typeof yellowstone.default;

/**
 * Bytes of the program's address. Nearly every account belongs to the program, so comparing bytes
 * saves encoding its address each time.
 */
const PROGRAM_BYTES = Buffer.from(decodeBase58(PROGRAM));
const CONNECT_TIMEOUT_MS = 10_000;
/** Limit of connecting and of sending the request: longer than the client's own. */
const OPEN_TIMEOUT_MS = 20_000;
/** Interval of keep-alive pings. Without them a dead connection would stay silent forever. */
const KEEP_ALIVE_MS = 10_000;
const MAX_UPDATE_BYTES = 64 * 1024 * 1024;

export interface AccountUpdate {
  readonly type: 'account';
  /** The filter that matched: the program's accounts or the watched token accounts. */
  readonly source: 'program' | 'token';
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: ReadonlyUint8Array;
  readonly slot: bigint;
  /** Orders the writes within one slot. */
  readonly writeVersion: bigint;
}

export interface TransactionUpdate {
  readonly type: 'transaction';
  readonly slot: bigint;
  readonly transaction: ChainTransaction;
}

export interface SlotUpdate {
  readonly type: 'slot';
  readonly slot: bigint;
  readonly parent: bigint | null;
  readonly status: 'processed' | 'confirmed' | 'finalized' | 'dead' | 'other';
}

/** A completed block; its parent shows whether a block was skipped. */
export interface BlockUpdate {
  readonly type: 'block';
  readonly slot: bigint;
  readonly blockhash: string;
  readonly parentSlot: bigint;
  readonly parentBlockhash: string;
  readonly blockHeight: bigint | null;
  /** Unix seconds. */
  readonly blockTime: bigint | null;
}

export type StreamUpdate = AccountUpdate | TransactionUpdate | SlotUpdate | BlockUpdate;

/**
 * The updates of one connection, at 'confirmed'. Iteration ends when the server ends the stream or
 * `close` is called, and throws ClusterUnusable when the connection breaks. It does not reconnect,
 * because the reader must find out what it missed.
 */
export interface ChainStream extends AsyncIterable<StreamUpdate> {
  /**
   * Replaces the watched token accounts. Resolves when the request has been sent, which is before
   * it takes effect.
   */
  watchTokenAccounts(tokenAccounts: readonly Address[]): Promise<void>;
  close(): void;
}

export interface StreamOptions {
  readonly tokenAccounts?: readonly Address[];
  /**
   * Replays from this slot, or from a later one if the server no longer has it. The caller must
   * check the slot of the first block.
   */
  readonly fromSlot?: bigint;
}

/**
 * Opens a stream of the program's accounts and successful transactions, of slots, blocks and the
 * given token accounts.
 *
 * @throws ClusterUnusable if the server does not respond or refuses
 */
export async function openStream(
  { yellowstoneUrl, yellowstoneToken }: Pick<ClusterConfig, 'yellowstoneUrl' | 'yellowstoneToken'>,
  { tokenAccounts = [], fromSlot }: StreamOptions = {},
): Promise<ChainStream> {
  if (!yellowstoneUrl) throw new Error('No Yellowstone URL is configured');
  const streamName = `The Yellowstone stream of ${publicPart(yellowstoneUrl)}`;
  const stream = await connect(yellowstoneUrl, yellowstoneToken, {
    ...subscribeRequest(tokenAccounts),
    fromSlot: fromSlot?.toString(),
  }).catch((cause: unknown) => {
    throw new ClusterUnusable(`${streamName} cannot be opened: ${rootMessage(cause)}`, { cause });
  });
  let closed = false;
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const update of stream as AsyncIterable<SubscribeUpdate>) {
          if (update.ping) await write(stream, { ...EMPTY_REQUEST, ping: { id: 1 } });
          const converted = toStreamUpdate(update);
          if (converted) yield converted;
        }
      } catch (cause) {
        // After `close` an error is expected.
        if (!closed) throw new ClusterUnusable(`${streamName} broke: ${rootMessage(cause)}`, { cause });
      } finally {
        stream.destroy();
      }
    },
    watchTokenAccounts: (watched) => write(stream, subscribeRequest(watched)),
    close: () => {
      closed = true;
      stream.destroy();
    },
  };
}

/**
 * Opens and closes the stream of every cluster that has one, so that a wrong token is found when
 * the process starts. A failure is logged, and the indexer retries.
 *
 * @throws ClusterUnusable if the servers of all clusters refuse us
 */
export async function assertStreams(clusters: Config['clusters'], log: Logger): Promise<void> {
  const entries = Object.entries(clusters);
  let refusals = 0;
  await Promise.all(
    entries.map(async ([environment, cluster]) => {
      if (!cluster.yellowstoneUrl) return;
      try {
        (await openStream(cluster)).close();
      } catch (error) {
        if (!isUnreachable(error)) refusals += 1;
        if (refusals === entries.length) throw error;
        log.error(
          { environment, reason: (error as Error).message },
          'stream unusable: started without it, retrying',
        );
      }
    }),
  );
}

async function connect(
  url: string,
  token: string | undefined,
  request: SubscribeRequest,
): Promise<ClientDuplexStream> {
  const client = new YellowstoneClient(
    url,
    token,
    {
      grpcConnectTimeout: CONNECT_TIMEOUT_MS,
      grpcHttp2KeepAliveInterval: KEEP_ALIVE_MS,
      grpcKeepAliveTimeout: KEEP_ALIVE_MS,
      grpcKeepAliveWhileIdle: true,
      grpcMaxDecodingMessageSize: MAX_UPDATE_BYTES,
    },
    // The client's own reconnect stops early, and silently resumes at the newest slot if older
    // slots are gone.
    { enabled: false },
  );
  const opening = client.connect().then(() => client.subscribe(request));
  if (await settledWithin([opening], OPEN_TIMEOUT_MS)) return opening;
  // A stream that opens later is not used.
  opening.then(
    (stream) => stream.destroy(),
    () => undefined,
  );
  throw new Error(`no answer within ${OPEN_TIMEOUT_MS} ms`);
}

const EMPTY_REQUEST: SubscribeRequest = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
};

function subscribeRequest(tokenAccounts: readonly Address[]): SubscribeRequest {
  const program = { account: [], owner: [PROGRAM], filters: [] };
  const token = { account: [...tokenAccounts], owner: [], filters: [] };
  return {
    ...EMPTY_REQUEST,
    // A filter with an empty list would match every account on the cluster.
    accounts: tokenAccounts.length > 0 ? { program, token } : { program },
    transactions: {
      program: {
        vote: false,
        failed: false,
        accountInclude: [PROGRAM],
        accountExclude: [],
        accountRequired: [],
      },
    },
    slots: { all: {} },
    blocksMeta: { all: {} },
    commitment: CommitmentLevel.CONFIRMED,
  };
}

function write(stream: ClientDuplexStream, request: SubscribeRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(request, (error) => (error ? reject(error) : resolve()));
  });
}

function toStreamUpdate(update: SubscribeUpdate): StreamUpdate | null {
  const { filters, account, transaction, slot, blockMeta } = update;
  if (account) return toAccountUpdate(account, filters);
  if (transaction) {
    return { type: 'transaction', slot: BigInt(transaction.slot), transaction: fromYellowstone(transaction) };
  }
  if (slot) {
    return {
      type: 'slot',
      slot: BigInt(slot.slot),
      parent: slot.parent === undefined ? null : BigInt(slot.parent),
      status: SLOT_STATUSES.get(slot.status) ?? 'other',
    };
  }
  if (!blockMeta) return null;
  const { blockhash, parentSlot, parentBlockhash, blockHeight, blockTime } = blockMeta;
  return {
    type: 'block',
    slot: BigInt(blockMeta.slot),
    blockhash,
    parentSlot: BigInt(parentSlot),
    parentBlockhash,
    blockHeight: blockHeight ? BigInt(blockHeight.blockHeight) : null,
    blockTime: blockTime ? BigInt(blockTime.timestamp) : null,
  };
}

const SLOT_STATUSES: ReadonlyMap<SlotStatus, SlotUpdate['status']> = new Map([
  [SlotStatus.SLOT_PROCESSED, 'processed'],
  [SlotStatus.SLOT_CONFIRMED, 'confirmed'],
  [SlotStatus.SLOT_FINALIZED, 'finalized'],
  [SlotStatus.SLOT_DEAD, 'dead'],
]);

function toAccountUpdate({ slot, account }: SubscribeUpdateAccount, filters: string[]): AccountUpdate {
  if (!account) throw new Error(`An account update without an account in slot ${slot}`);
  return {
    type: 'account',
    source: filters.includes('token') ? 'token' : 'program',
    address: encodeBase58(account.pubkey) as Address,
    owner: PROGRAM_BYTES.equals(account.owner) ? PROGRAM : (encodeBase58(account.owner) as Address),
    lamports: BigInt(account.lamports),
    // Copied, because the client's buffer would keep the whole message in memory.
    data: new Uint8Array(account.data),
    slot: BigInt(slot),
    writeVersion: BigInt(account.writeVersion),
  };
}
