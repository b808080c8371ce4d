import type { AppContext } from '../../../app.ts';
import { publicChain } from '../../../chain/chain.ts';

/** The same context for callers without a key, whose RPC calls have a separate budget. */
export function forPublic(ctx: AppContext): AppContext {
  const { TEST, LIVE } = ctx.chain;
  const chain = { ...(TEST && { TEST: publicChain(TEST) }), ...(LIVE && { LIVE: publicChain(LIVE) }) };
  return { ...ctx, chain };
}
