import { openSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { createCheckoutSession } from '../../src/domain/checkout/session/create-checkout-session.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { type CustomerWorld, startCustomerWorld } from '../customer/world.ts';
import { startRoles, stop } from '../lib/child-process.ts';
import type { Measured } from '../lib/figures.ts';
import { Connection, encodeRequest } from '../lib/http-load.ts';
import { percentile, round } from '../lib/statistics.ts';
import { CHECKOUTS, type DISCOUNTS_FIGURES, LIMIT } from './figures.ts';

const ONE_SOL = 1_000_000_000n;
const SETUP_CONCURRENCY = 16;
const PROXY = '127.0.0.1';
const NODE_CALLS_PER_SECOND = 100_000;

/**
 * Measures the request that hands out the transactions to sign, which reserves the discount: without a discount,
 * with one for all, and with one for a tenth of the checkouts. Each customer has a wallet, a network address and
 * a connection.
 */
export default async function benchDiscounts(): Promise<Measured<typeof DISCOUNTS_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const world = await startCustomerWorld(closing);
  const folder = await temporaryFolder(closing, 'dues-bench-');
  const { clusters } = world.ctx.config;
  const config = {
    ...world.ctx.config,
    port: 0,
    trustedProxies: [PROXY],
    // The default of 100 calls of the node a second would be measured, and nothing else.
    clusters: {
      TEST: clusters.TEST && { ...clusters.TEST, publicRpcRequestsPerSecond: NODE_CALLS_PER_SECOND },
    },
  };
  const api = await startRoles({ config, roles: ['api'] }, openSync(join(folder, 'api.log'), 'w'));
  closing.defer(() => stop(api.process));
  const wallets = await mapConcurrently(Array.from({ length: CHECKOUTS }), SETUP_CONCURRENCY, async () => {
    const { address } = await generateKeyPairSigner();
    await world.give(address, ONE_SOL);
    return address;
  });
  console.log(`${CHECKOUTS} wallets have tokens`);

  const { ctx, seller } = world;
  const newDiscount = (name: string, maxRedemptions?: number) =>
    createDiscount(ctx, seller.scope, { name, percentBps: 5_000, maxRedemptions });
  const run = async (name: string, discountId?: string) => {
    const sessions = await openCheckouts(world, name, discountId);
    const answers = await askAll(api.url, sessions, wallets);
    const ms = percentile(
      answers.map((answer) => answer.ms),
      0.99,
    );
    const granted = answers.filter(({ status }) => status === 200).length;
    console.log(`${name}: ${granted} of ${answers.length} get the transactions, p99 ${round(ms)} ms`);
    return { ms, granted };
  };
  await run('warm-up');
  const without = await run('without a discount');
  const all = await run('a discount for all', (await newDiscount('All')).id);
  for (const { granted } of [without, all]) {
    if (granted !== CHECKOUTS) throw new Error(`${CHECKOUTS - granted} checkouts were refused`);
  }
  const scarce = await newDiscount('Scarce', LIMIT);
  const { ms, granted } = await run(`a discount for ${LIMIT}`, scarce.id);
  const { taken } = await ctx.db.discount.findUniqueOrThrow({ where: { id: scarce.id } });
  return {
    reserved: granted,
    over: Math.max(granted, taken) - LIMIT,
    p99_ms: round(ms),
    discount_ratio: round(all.ms / without.ms, 2),
    all_p99_ms: round(all.ms),
    without_p99_ms: round(without.ms),
  };
}

/** Opens a checkout for each customer. */
function openCheckouts(
  { ctx, seller }: CustomerWorld,
  name: string,
  discountId: string | undefined,
): Promise<string[]> {
  const customers = Array.from({ length: CHECKOUTS }, (_, index) => `${index}@example.com`);
  return mapConcurrently(customers, SETUP_CONCURRENCY, async (customerEmail) => {
    const input = { planId: seller.plan.planId, customerEmail, discountId, metadata: { run: name } };
    return (await createCheckoutSession(ctx, seller.scope, input)).sessionId;
  });
}

/** Asks for the transactions of all checkouts at the same time. */
async function askAll(url: string, sessions: readonly string[], wallets: readonly string[]) {
  const asking = sessions.map((sessionId, index) => {
    const forwarded = `10.0.${Math.floor(index / 250)}.${1 + (index % 250)}`;
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded };
    const body = JSON.stringify({ userWallet: wallets[index] });
    const path = `/api/checkout/${sessionId}/transaction`;
    return { connection: new Connection(url), request: encodeRequest('POST', path, headers, body) };
  });
  // All are connected, so that no connection is measured.
  const health = encodeRequest('GET', '/health/live', {});
  await Promise.all(asking.map(({ connection }) => connection.ask(health)));
  const startedAt = performance.now();
  const answers = await Promise.all(
    asking.map(async ({ connection, request }) => {
      const { status, body } = await connection.ask(request);
      if (status !== 200 && !body.includes('"param":"code"')) throw new Error(`answered ${status}: ${body}`);
      return { status, ms: performance.now() - startedAt };
    }),
  );
  for (const { connection } of asking) connection.close();
  return answers;
}
