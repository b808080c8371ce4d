import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../src/base58/base58.ts';
import type { Commitment } from '../accounts.ts';
import type { Network } from '../network.ts';
import { SLOTS_PER_EPOCH } from '../virtual-machine.ts';
import { API_VERSION, readContext, withContext } from './context.ts';
import { INVALID_REQUEST, RpcError, type RpcMethods } from './method.ts';
import { blockhashOf, naturalOf, withParams } from './params.ts';

const FEATURE_SET = 3_640_012_085;
/** Maximum size of an account that the system program creates. */
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
const IDENTITY = encodeBase58(createHash('sha256').update('dues localnet validator').digest());

/** Methods about the node and the position of the chain. */
export const clusterMethods: RpcMethods = {
  getHealth: withParams(0, 0, () => 'ok'),
  getVersion: withParams(0, 0, () => ({ 'solana-core': API_VERSION, 'feature-set': FEATURE_SET })),
  getIdentity: withParams(0, 0, () => ({ identity: IDENTITY })),
  getGenesisHash: withParams(0, 0, (network) => network.genesisHash),

  getSlot: withParams(0, 1, (network, [config]) => readContext(network, config).slot),

  getBlockHeight: withParams(0, 1, (network, [config]) =>
    network.blockHeight(readContext(network, config).commitment),
  ),

  getTransactionCount: withParams(0, 1, (network, [config]) => {
    readContext(network, config);
    return network.ledger.transactionCount;
  }),

  getEpochInfo: withParams(0, 1, (network, [config]) => {
    const { commitment } = readContext(network, config);
    return epochInfo(network, commitment);
  }),

  getLatestBlockhash: withParams(0, 1, (network, [config]) => {
    const context = readContext(network, config);
    return withContext(context, network.latestBlockhash(context.commitment));
  }),

  isBlockhashValid: withParams(1, 2, (network, [blockhashText, config]) => {
    const blockhash = blockhashOf(blockhashText);
    const context = readContext(network, config);
    return withContext(context, network.isBlockhashValid(blockhash, context.commitment));
  }),

  getMinimumBalanceForRentExemption: withParams(1, 2, (network, [size, config]) => {
    const bytes = naturalOf(size);
    readContext(network, config);
    if (bytes > MAX_ACCOUNT_BYTES) throw new RpcError(INVALID_REQUEST, 'Invalid request');
    return network.rentExemptMinimum(bytes);
  }),
};

export function epochInfo(network: Network, commitment: Commitment) {
  const slot = network.slot(commitment);
  return {
    absoluteSlot: slot,
    blockHeight: network.blockHeight(commitment),
    epoch: Math.floor(slot / SLOTS_PER_EPOCH),
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: network.ledger.transactionCount,
  };
}
