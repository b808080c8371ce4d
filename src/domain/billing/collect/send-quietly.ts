import type { ReadonlyUint8Array } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { sendWire } from '../../../chain/rpc/send.ts';
import { forgetVersion, refusesVersion } from '../../../chain/transactions/accepted-version.ts';

/**
 * Sends a transaction to the node. A transport error is only logged, because the transaction may
 * have arrived: the follower resends it until its outcome is known.
 */
export async function sendQuietly(ctx: AppContext, chain: Chain, wire: ReadonlyUint8Array): Promise<void> {
  await sendWire(chain, wire).catch((err: unknown) => {
    if (refusesVersion(err)) forgetVersion(chain);
    ctx.log.warn({ err, environment: chain.environment }, 'transaction not sent: will be resent');
  });
}
