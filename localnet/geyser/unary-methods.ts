import { status } from '@grpc/grpc-js';
import {
  type CommitmentLevel,
  GetBlockHeightRequest,
  GetBlockHeightResponse,
  GetLatestBlockhashRequest,
  GetLatestBlockhashResponse,
  GetSlotRequest,
  GetSlotResponse,
  GetVersionResponse,
  IsBlockhashValidRequest,
  IsBlockhashValidResponse,
  PingRequest,
  PongResponse,
  SubscribeReplayInfoResponse,
} from '@triton-one/yellowstone-grpc';
import packageJson from '../../package.json' with { type: 'json' };
import type { Commitment } from '../accounts.ts';
import type { Network } from '../network.ts';
import { CallFailed, decodeMessage } from './failures.ts';
import { commitmentOf } from './filter-fields.ts';
import { InvalidFilter } from './invalid-filter.ts';

/**
 * The real server adds this to a block's height as the lifetime of its blockhash (Solana's
 * MAX_RECENT_BLOCKHASHES), although a transaction can only use the newest 150. RPC's
 * getLatestBlockhash uses 150.
 */
const REPORTED_BLOCKHASH_LIFETIME = 300;
/** The real server's response if it has no block to replay. */
const NOTHING_AVAILABLE = '18446744073709551615';

export interface UnaryContext {
  readonly network: Network;
  /** The oldest slot that can be replayed. */
  readonly firstSlot: number | undefined;
  readonly hostname: string;
}

/**
 * Returns the encoded response to an encoded request.
 *
 * @throws CallFailed
 */
type UnaryMethod = (request: Uint8Array, context: UnaryContext) => Uint8Array;

export const UNARY_METHODS: Readonly<Record<string, UnaryMethod>> = {
  GetSlot: (bytes, { network }) => {
    const { commitment } = decodeMessage(GetSlotRequest, bytes);
    return GetSlotResponse.encode({ slot: String(network.slot(blockAt(commitment))) }).finish();
  },

  GetBlockHeight: (bytes, { network }) => {
    const { commitment } = decodeMessage(GetBlockHeightRequest, bytes);
    const blockHeight = String(network.blockHeight(blockAt(commitment)));
    return GetBlockHeightResponse.encode({ blockHeight }).finish();
  },

  GetLatestBlockhash: (bytes, { network }) => {
    const commitment = blockAt(decodeMessage(GetLatestBlockhashRequest, bytes).commitment);
    return GetLatestBlockhashResponse.encode({
      slot: String(network.slot(commitment)),
      blockhash: network.latestBlockhash(commitment).blockhash,
      lastValidBlockHeight: String(network.blockHeight(commitment) + REPORTED_BLOCKHASH_LIFETIME),
    }).finish();
  },

  IsBlockhashValid: (bytes, { network }) => {
    const { blockhash, commitment: level } = decodeMessage(IsBlockhashValidRequest, bytes);
    const commitment = blockAt(level);
    return IsBlockhashValidResponse.encode({
      slot: String(network.slot(commitment)),
      valid: network.isBlockhashValid(blockhash, commitment),
    }).finish();
  },

  Ping: (bytes) => {
    const { count } = decodeMessage(PingRequest, bytes);
    return PongResponse.encode({ count }).finish();
  },

  GetVersion: (_bytes, { hostname }) => {
    const version = {
      package: 'dues-localnet',
      version: packageJson.version,
      proto: '13.0.0',
      solana: '4.0.0',
      git: '',
      rustc: '',
      buildts: '',
    };
    return GetVersionResponse.encode({ version: JSON.stringify({ version, extra: { hostname } }) }).finish();
  },

  SubscribeReplayInfo: (_bytes, { firstSlot }) =>
    SubscribeReplayInfoResponse.encode({
      firstAvailable: firstSlot === undefined ? NOTHING_AVAILABLE : String(firstSlot),
    }).finish(),
};

/**
 * The commitment at which the network is read. Yellowstone answers from completed blocks: its
 * `processed` is the last complete block, while RPC's is the slot in progress. On this network the
 * last complete block is confirmed.
 */
function blockAt(level: CommitmentLevel | undefined): Commitment {
  try {
    const commitment = commitmentOf(level);
    return commitment === 'processed' ? 'confirmed' : commitment;
  } catch (cause) {
    if (!(cause instanceof InvalidFilter)) throw cause;
    throw new CallFailed({ code: status.UNKNOWN, details: cause.reason }, { cause });
  }
}
