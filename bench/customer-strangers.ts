import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { sponsoredSince } from '../src/domain/checkout/sponsoring/sponsor-budget.ts';
import { openCheckout } from './customer-buys.ts';
import type { CustomerWorld } from './customer-world.ts';

const STRANGERS = 1_000;
const CONCURRENCY = 32;

/**
 * Requests sponsored transactions for 1,000 wallets without SOL, each with its own checkout and
 * network address.
 *
 * @param budget lamports that the sponsor may spend
 */
export async function requestAsStrangers(world: CustomerWorld, budget: bigint) {
  const { ctx, api, seller } = world;
  const networkAddresses = Array.from(
    { length: STRANGERS },
    (_, index) => `198.18.${index >> 8}.${index & 255}`,
  );
  const answers = await mapConcurrently(networkAddresses, CONCURRENCY, async (from) => {
    const wallet = await world.newWallet(0n);
    const sessionId = await openCheckout(world, { seller, from });
    const response = await fetch(`${api.url}/api/checkout/${sessionId}/solana-pay`, {
      method: 'POST',
      body: JSON.stringify({ account: wallet.address }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    });
    return response.status;
  });
  const reserved = await sponsoredSince(ctx.db, { environment: 'TEST' }, ctx.clock.now());
  return {
    strangers: answers.length,
    strangers_sponsored: answers.filter((status) => status === 200).length,
    strangers_failed: answers.filter((status) => status >= 500).length,
    budget_lamports: Number(budget),
    budget_used_lamports: Number(reserved),
    over_budget_lamports: Number(reserved > budget ? reserved - budget : 0n),
  };
}
