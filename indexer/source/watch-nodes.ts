import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { NEAR_SLOTS } from '../../src/chain/rpc/as-of.ts';
import { type NodeSlot, readNodeHash, readNodeSlots } from '../../src/chain/rpc/each-node.ts';
import { knownSlot, MAX_SLOTS_AHEAD, recordSlot } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { publicPart } from '../../src/observability/public-urls.ts';
import { repeatEvery } from '../pause.ts';
import type { Timings } from '../timings.ts';

/** Checks per `blockTimeoutMs`. */
const CHECKS_PER_TIMEOUT = 3;

/**
 * Advances the known slot while a node is ahead of everything that the indexer has seen, until the
 * signal aborts. A provider's stream and node often stop, or fall behind, together. Without a newer
 * known slot every read would accept the old state of that node, and no other node would be called.
 */
export function watchNodes(
  ctx: AppContext,
  chain: Chain,
  timings: Pick<Timings, 'blockTimeoutMs'>,
  signal: AbortSignal,
): Promise<void> {
  const ignored = new Set<string>();
  return repeatEvery(
    timings.blockTimeoutMs / CHECKS_PER_TIMEOUT,
    signal,
    () => advanceKnownSlot(ctx, chain, ignored, signal),
    (err) => {
      if (!signal.aborted) ctx.log.warn({ err, environment: chain.environment }, 'RPC nodes not compared');
    },
  );
}

/** @param ignored the nodes whose leap was ignored, so that each is logged once */
async function advanceKnownSlot(
  ctx: AppContext,
  chain: Chain,
  ignored: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  const known = await knownSlot(ctx, environment);
  if (known === 0n) return;
  for (const { url, slot } of newestFirst(await readNodeSlots(chain, signal))) {
    if (slot <= known + NEAR_SLOTS) return;
    // A node of another cluster may be far ahead. Its slot would be a minimum that no node reaches.
    if (slot > known + MAX_SLOTS_AHEAD && !(await isOfCluster(ctx, chain, url, signal))) {
      if (signal.aborted) return;
      const details = { environment, node: publicPart(url), slot: `${slot}`, known: `${known}` };
      if (!ignored.has(url)) ctx.log.error(details, 'RPC node ignored: far ahead, and not of this cluster');
      ignored.add(url);
      continue;
    }
    // Healthy nodes differ by some slots.
    await recordSlot(ctx, environment, slot - NEAR_SLOTS);
    return;
  }
}

function newestFirst(nodes: readonly NodeSlot[]): NodeSlot[] {
  return nodes.toSorted((a, b) => Number(b.slot - a.slot));
}

/** Whether a node has the genesis hash of the recorded cluster. False if it does not respond. */
async function isOfCluster(
  { db }: Pick<AppContext, 'db'>,
  { environment, config }: Chain,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  const recorded = await db.cluster.findUnique({ where: { environment } });
  const [hash, expected] = await Promise.all([
    readNodeHash(url, signal).catch(() => undefined),
    recorded?.genesisHash ?? readNodeHash(config.rpcUrl, signal),
  ]);
  return hash === expected;
}
