import type { AppContext } from '../../src/app.ts';
import { readSlot } from '../../src/chain/rpc/read-slot.ts';
import { upToDate } from '../../src/domain/chain-state/mirror/known-slot.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import { Mirror } from '../apply/mirror.ts';
import { applySnapshot } from './snapshot.ts';

/** Later than any slot. With it as the position, every state in the mirror counts as applied. */
const LATEST_SLOT = 2n ** 63n - 1n;

export interface RefreshedAccount {
  readonly environment: Environment;
  readonly address: string;
}

/**
 * Compares the mirror with the chain once, with or without a running indexer, and applies the
 * differences. Returns the changed accounts.
 *
 * @throws NodeBehind if every node is behind the newest known slot
 * @throws if the cluster or the database does not respond
 */
export async function refreshMirror(
  ctx: AppContext,
  { environment: only }: { readonly environment?: Environment | undefined },
): Promise<RefreshedAccount[]> {
  const refreshed: RefreshedAccount[] = [];
  for (const chain of Object.values(ctx.chain)) {
    const { environment } = chain;
    if (only && environment !== only) continue;
    const failed = Promise.withResolvers<never>();
    const slot = await readSlot(await upToDate(ctx, chain));
    const mirror = new Mirror(ctx, chain, { position: LATEST_SLOT, onFailure: failed.reject });
    const addRefreshed = (address: string) => refreshed.push({ environment, address });
    await Promise.race([applySnapshot(mirror, slot, addRefreshed), failed.promise]);
    await mirror.waitUntilFinished();
  }
  return refreshed;
}
