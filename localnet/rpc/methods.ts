import type { Network } from '../network.ts';
import { accountMethods } from './account-methods.ts';
import { blockMethods } from './block-methods.ts';
import { clusterMethods } from './cluster-methods.ts';
import { createFaucet } from './faucet.ts';
import { feeMethods } from './fee-methods.ts';
import { historyMethods } from './history-methods.ts';
import type { RpcMethods } from './method.ts';
import { sendMethods } from './send-methods.ts';
import { tokenMethods } from './token-methods.ts';

/** All methods of a cluster's RPC that this network has. Creates the faucet. */
export function clusterRpcMethods(network: Network): RpcMethods {
  return {
    ...clusterMethods,
    ...accountMethods,
    ...tokenMethods,
    ...blockMethods,
    ...historyMethods,
    ...feeMethods,
    ...sendMethods(createFaucet(network)),
  };
}
