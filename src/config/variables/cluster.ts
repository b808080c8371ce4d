import { address } from '@solana/kit';
import { z } from 'zod';
import { configuredAssets } from './assets.ts';
import { keyPairs } from './collector.ts';
import { explorerUrl, httpUrls, mint, oneOf, url, wholeNumber } from './kinds.ts';
import { notes } from './notes.ts';

const rate = () => wholeNumber(1, 100_000).transform(Number).optional();
const lamports = () => wholeNumber(0, 9_999_999_999).transform(BigInt);
const microLamports = () => wholeNumber(0, 1_000_000_000).transform(BigInt);

/** The nodes and tokens of an environment's cluster. The names follow `TEST_` or `LIVE_`. */
export const nodeVariables = {
  RPC_URL: httpUrls('https://api.devnet.solana.com').register(notes, {
    text: 'Up to 8 URLs of nodes of one cluster, separated by commas. The first is preferred; the others are used while it is busy, behind or unreachable.',
    example: 'https://api.devnet.solana.com',
    mayBeFile: true,
  }),
  SEND_RPC_URL: httpUrls('https://send.example.com').optional().register(notes, {
    text: 'Further nodes to which transactions are sent, separated by commas.',
    mayBeFile: true,
  }),
  PUBLIC_RPC_URL: httpUrls('https://api.devnet.solana.com').optional().register(notes, {
    text: 'Nodes for callers without an API key, separated by commas. Without them, and when they fail, the nodes of RPC_URL are used.',
    mayBeFile: true,
  }),
  USDC_MINT: mint.optional().register(notes, {
    text: 'The token of plans that name none.',
    default: "the cluster's USDC",
  }),
  TRANSACTION_VERSION: oneOf(['0', '1'])
    .transform((text): 0 | 1 => (text === '1' ? 1 : 0))
    .optional()
    .register(notes, {
      text: 'The version of our transactions, for a cluster whose accepted version cannot be detected.',
      default: 'detected',
    }),
};

/** Further settings of a cluster. `ClusterConfig` has them under the same names. */
export const clusterVariables = {
  RPC_REQUESTS_PER_SECOND: rate().register(notes, {
    text: 'Maximum calls per second to each node of RPC_URL.',
    default: 'no limit',
  }),
  PUBLIC_RPC_REQUESTS_PER_SECOND: rate().register(notes, {
    text: 'Maximum calls per second for all callers without an API key together.',
    default: "half of a node's limit, or 100",
  }),
  YELLOWSTONE_URL: url('https://yellowstone.example.com:443', 'http', 'https').optional().register(notes, {
    text: 'The Yellowstone stream of a node. Without it the indexer polls the RPC node.',
    mayBeFile: true,
  }),
  YELLOWSTONE_TOKEN: z.string().optional().register(notes, {
    text: 'The token for the stream.',
    mayBeFile: true,
  }),
  ASSETS: configuredAssets.optional().register(notes, {
    text: 'Further tokens. Pages offer them for new plans and show these names; logoUrl may be left out.',
  }),
  EXPLORER_URL: explorerUrl.optional().register(notes, {
    text: 'The block explorer to which pages link.',
    default: 'Solana Explorer',
  }),
  MAX_PULLS_PER_TRANSACTION: wholeNumber(1, 19).transform(Number).default(19).register(notes, {
    text: 'Maximum payments per transaction. 19 payments of one plan fit in a transaction.',
  }),
  FEE_PAYER_KEYS: keyPairs.optional().register(notes, {
    text: 'The keys of further fee payers, for workers: they pay in turn for transactions that the collector signs, at a high rate (docs/scale.md). Each needs SOL.',
    mayBeFile: true,
  }),
  FEE_PAYERS_FROM_IN_FLIGHT: wholeNumber(0, 4_095).transform(Number).default(64).register(notes, {
    text: 'The fee payers pay while at least this many transactions are in flight, otherwise the collector; 0 is always.',
  }),
  // The default is one twenty-fifth of the base fee.
  MIN_PRIORITY_FEE: microLamports().default(1_000n).register(notes, {
    text: 'Minimum priority fee, in micro-lamports per compute unit; at most MAX_PRIORITY_FEE. If recent blocks took more, that is paid. Each expired transaction of a payment multiplies the fee by four, up to the maximum.',
  }),
  MAX_PRIORITY_FEE: microLamports().default(50_000n).register(notes, {
    text: 'Maximum priority fee, in micro-lamports per compute unit, on top of the base fee; 0 pays none. A transaction of 19 payments uses about 200,000 compute units: 10,000 lamports at the default.',
  }),
  MAX_WATCHED_ACCOUNTS: wholeNumber(0, 1_000_000).transform(Number).default(1_000).register(notes, {
    text: "Maximum token accounts of past-due payers that the stream watches for a top-up, a limit of the stream's provider. The others are read in turn.",
  }),
  COMPARED_CALLS_PER_MINUTE: wholeNumber(1, 1_000_000).transform(Number).default(600).register(notes, {
    text: 'Maximum RPC calls per minute for comparing all accounts with the chain. The default compares a million subscriptions in 35 minutes.',
  }),
  // The default costs at most about 0.2 SOL per day.
  MAX_RECEIVERS_PER_DAY: wholeNumber(0, 1_000_000).transform(Number).default(100).register(notes, {
    text: 'Maximum token accounts of merchants that the collector pays for in 24 hours.',
  }),
  MAX_SPONSORED_LAMPORTS_PER_DAY: lamports().default(0n).register(notes, {
    text: 'Maximum lamports that the collector pays in 24 hours for customers without SOL (docs/selling.md), for all merchants together. 0 is off.',
  }),
  MAX_SPONSORED_LAMPORTS_PER_MERCHANT: lamports().default(100_000_000n).register(notes, {
    text: 'The same for the customers of one merchant. The default is enough for about 25 customers.',
  }),
  // The default is longer than it takes to notice merchants that were created to collect rents.
  PAYS_RENT_AFTER_DAYS: wholeNumber(0, 365).transform(Number).default(7).register(notes, {
    text: "Days after its creation from which the collector pays a merchant's rents: for its token account and for customers without SOL; 0 is at once. Half of the daily maximums above is kept for merchants that have collected.",
  }),
};

/** The default payment token of each environment's cluster. */
export const DEVNET_USDC = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
export const MAINNET_USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
