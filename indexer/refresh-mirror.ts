import type { AppContext } from '../src/app.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { Mirror } from './mirror.ts';
import { applySnapshot } from './snapshot.ts';

/** Who mirrors something also tells the use cases of it: that is not looked at again. */
const ALL_TOLD = 2n ** 63n - 1n;

export interface RefreshedAccount {
  readonly environment: Environment;
  readonly address: string;
}

/**
 * Compares the mirror with the chain once, beside the indexer or without one: what differs is mirrored and told to the
 * use cases. Answers with what differed.
 *
 * @throws where the cluster or the database does not answer
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
    const slot = await chain.rpc.getSlot({ commitment: 'confirmed' }).send();
    const mirror = new Mirror(ctx, chain, { position: ALL_TOLD, onFailure: failed.reject });
    const note = (address: string) => refreshed.push({ environment, address });
    await Promise.race([applySnapshot(mirror, slot, note), failed.promise]);
    await mirror.finished();
  }
  return refreshed;
}
