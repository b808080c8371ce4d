import type { AppContext } from '../../src/app.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { alteredRpc } from '../chain/altered-rpc.ts';
import type { World } from '../scenarios/world.ts';

const err = { InstructionError: [0, { Custom: 1 }] };

/** A context whose node reports these transactions with an error, at the commitment. */
export async function contextWithFailure(
  { ctx, chain }: World,
  failed: readonly string[],
  confirmationStatus: 'confirmed' | 'finalized',
): Promise<AppContext> {
  const rpcUrl = await alteredRpc(chain.config.rpcUrl, ({ method, params }, result) => {
    if (method !== 'getSignatureStatuses') return;
    const statuses = result as { value: unknown[] };
    const [signatures] = params as [string[]];
    statuses.value = statuses.value.map((status, index) =>
      failed.includes(signatures[index] ?? '')
        ? { slot: 77, confirmations: null, err, status: { Err: err }, confirmationStatus }
        : status,
    );
  });
  return { ...ctx, chain: { TEST: await createChain('TEST', { ...chain.config, rpcUrl }) } };
}
