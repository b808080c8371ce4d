import { createChain } from '../../src/chain/create-chain.ts';
import { alteredRpc, type RpcCall } from '../chain/altered-rpc.ts';
import type { IndexerWorld } from './world.ts';

/** Records the RPC calls of the world's indexers from now on. `alter` may change the results. */
export async function recordRpcCalls(
  world: IndexerWorld,
  alter: Parameters<typeof alteredRpc>[1] = () => undefined,
): Promise<{ ofMethod(method: string): readonly RpcCall[]; clear(): void }> {
  const { TEST } = world.ctx.chain;
  if (!TEST) throw new Error('No chain');
  let calls: RpcCall[] = [];
  const rpcUrl = await alteredRpc(TEST.config.rpcUrl, (call, result, answer) => {
    calls.push(call);
    return alter(call, result, answer);
  });
  const config = { ...TEST.config, rpcUrl };
  const { rpc, onOneNode, sendRpc } = await createChain('TEST', config);
  Object.assign(TEST, { config, rpc, onOneNode, sendRpc });
  return {
    ofMethod: (method) => calls.filter((call) => call.method === method),
    clear() {
      calls = [];
    },
  };
}
