import type { Address, ReadonlyUint8Array } from '@solana/kit';
import yellowstone, {
  type ClientDuplexStream,
  CommitmentLevel,
  SlotStatus,
  type SubscribeRequest,
  type SubscribeUpdate,
  type SubscribeUpdateAccount,
} from '@triton-one/yellowstone-grpc';
import { decodeBase58, encodeBase58 } from '../../base58/base58.ts';
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { Config } from '../config.ts';
import { PROGRAM } from './addresses.ts';
import { ClusterUnusable } from './chain.ts';
import type { ChainTransaction } from './chain-transaction.ts';
import { publicPart, rootMessage } from './endpoint-words.ts';
import { fromYellowstone } from './yellowstone-transaction.ts';

// The package's types describe its CommonJS build, where the class sits one `default` deeper than in the ESM one.
const YellowstoneClient = yellowstone as unknown as typeof yellowstone.default;

/** Nearly every account is the program's: spelling it out again takes longer than all else. */
const PROGRAM_BYTES = Buffer.from(decodeBase58(PROGRAM));
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that carries nothing is asked whether it is alive: a dead one would stay silent for ever. */
const KEEP_ALIVE_MS = 10_000;
const MAX_UPDATE_BYTES = 64 * 1024 * 1024;

export interface AccountUpdate {
  readonly type: 'account';
  /** By which filters it came: as one of the program's, or as a token account that is watched. */
  readonly source: 'program' | 'token';
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: ReadonlyUint8Array;
  readonly slot: bigint;
  /** Orders the writes of one slot. */
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

/** A block is complete; its parent tells whether one was skipped without a word. */
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
 * One connection's updates, at 'confirmed'. Iterating ends when the server ends it or `close` is called, and throws
 * ClusterUnusable when it breaks: there is no reconnecting behind the reader's back, who has to find out what was missed.
 */
export interface ChainStream extends AsyncIterable<StreamUpdate> {
  /** Replaces the token accounts that are watched. Resolves when the request is sent, not when it is in force. */
  watchTokenAccounts(tokenAccounts: readonly Address[]): Promise<void>;
  close(): void;
}

export interface StreamOptions {
  readonly tokenAccounts?: readonly Address[];
  /** Replays from this slot on, as far as the server still has it: check that the first block is not a later one. */
  readonly fromSlot?: bigint;
}

/**
 * Opens a stream of the program's accounts and successful transactions, of slots, blocks and the given token accounts.
 *
 * @throws ClusterUnusable where the server does not answer or refuses
 */
export async function openStream(
  { yellowstoneUrl, yellowstoneToken }: Pick<ClusterConfig, 'yellowstoneUrl' | 'yellowstoneToken'>,
  { tokenAccounts = [], fromSlot }: StreamOptions = {},
): Promise<ChainStream> {
  if (!yellowstoneUrl) throw new Error('No Yellowstone URL is configured');
  const who = `The Yellowstone stream of ${publicPart(yellowstoneUrl)}`;
  const stream = await connect(yellowstoneUrl, yellowstoneToken, {
    ...subscribeRequest(tokenAccounts),
    fromSlot: fromSlot?.toString(),
  }).catch((cause: unknown) => {
    throw new ClusterUnusable(`${who} cannot be opened: ${rootMessage(cause)}`, { cause });
  });
  let closed = false;
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const update of stream as AsyncIterable<SubscribeUpdate>) {
          if (update.ping) await write(stream, { ...EMPTY_REQUEST, ping: { id: 1 } });
          const known = toStreamUpdate(update);
          if (known) yield known;
        }
      } catch (cause) {
        // Closing it is what broke it.
        if (!closed) throw new ClusterUnusable(`${who} broke: ${rootMessage(cause)}`, { cause });
      } finally {
        stream.destroy();
      }
    },
    watchTokenAccounts: (wanted) => write(stream, subscribeRequest(wanted)),
    close: () => {
      closed = true;
      stream.destroy();
    },
  };
}

/**
 * Opens and closes the stream of every cluster that has one, so that a wrong address or token is told at the start.
 *
 * @throws ClusterUnusable
 */
export async function assertStreams(clusters: Config['clusters']): Promise<void> {
  for (const cluster of Object.values(clusters)) {
    if (cluster.yellowstoneUrl) (await openStream(cluster)).close();
  }
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
    // Its own reconnect gives up early, and resumes at the live head without a word where the past is gone.
    { enabled: false },
  );
  await client.connect();
  return client.subscribe(request);
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
    // A filter with an empty list of accounts would be one for every account on the cluster.
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
    // A copy: the client's buffers hold whole messages.
    data: new Uint8Array(account.data),
    slot: BigInt(slot),
    writeVersion: BigInt(account.writeVersion),
  };
}
