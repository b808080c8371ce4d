import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { startWorker } from '../../workers/main.ts';
import { aroundCalls } from '../scenarios/around-calls.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startWorld());

/** A LIVE cluster whose node does not answer these methods until `release`, and then fails them. */
function silentCluster(chain: Chain, methods: readonly string[]) {
  const calledMethods = new Set<string>();
  const released = Promise.withResolvers<void>();
  const silent = aroundCalls(chain, async (method, send) => {
    if (!methods.includes(method)) return send();
    calledMethods.add(method);
    await released.promise;
    throw new Error('the node is down');
  });
  return { chain: { ...silent, environment: 'LIVE' as const }, calledMethods, release: released.resolve };
}

/** Makes one payment due and one transaction in flight on the other cluster. */
async function seedLive({ id: address }: Subscriber): Promise<void> {
  const { db, clock } = world.ctx;
  const { id: _, metadata, ...row } = await db.subscription.findFirstOrThrow({ where: { address } });
  const nextAttemptAt = row.nextPaymentAt;
  await db.subscription.create({
    data: { ...row, metadata: metadata as object, environment: 'LIVE', nextAttemptAt },
  });
  const signature = bs58.encode(randomBytes(64));
  const transaction = {
    environment: 'LIVE' as const,
    signature,
    wire: new Uint8Array(3),
    lastValidBlockHeight: 1n,
  };
  await db.transferTransaction.create({ data: { ...transaction, createdAt: clock.now() } });
}

describe('a worker of two clusters, one of which does not answer', () => {
  it('collects, follows and settles on the other one', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    await world.stopWorkers();
    await seedLive(customer);
    const live = silentCluster(world.chain, ['getMultipleAccounts', 'getEpochInfo', 'getSignatureStatuses']);
    // The failing cluster comes first.
    const ctx: AppContext = { ...world.ctx, chain: { LIVE: live.chain, TEST: world.chain } };
    const worker = await startWorker(ctx);
    await world.jump(DAY);
    await world.until('both jobs wait for the node', () => live.calledMethods.size >= 2);
    for (let paid = 2; paid <= 4; paid++) {
      const expectedEvents = ['created', ...Array(paid).fill('payment_succeeded')];
      await world.until(
        'the webhook has arrived',
        () => world.receivedEvents(customer.id).length === expectedEvents.length,
      );
      expect(world.receivedEvents(customer.id)).toEqual(expectedEvents);
      expect(await world.tokensOf(customer.wallet.address)).toBe((100n - BigInt(paid)) * PRICE);
      await world.jump(DAY);
    }
    live.release();
    await worker.close();
    expect(await world.ctx.db.payment.count({ where: { environment: 'LIVE', status: 'SUCCEEDED' } })).toBe(0);
  });
});
