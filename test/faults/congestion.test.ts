import { beforeEach, describe, expect, it, vi } from 'vitest';
import { computeUnitPriceOf, parseTransaction } from '../../localnet/transaction.ts';
import { COLLECTING_DEFAULTS } from '../../src/config/cluster-config.ts';
import { counterRegistry } from '../../src/observability/metrics/counters.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';

const CAP = Number(COLLECTING_DEFAULTS.maxPriorityFee);

const world = await sharedByFile(startWorld());
const planId = await world.plan();
const customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId)));
await world.quiet();
let paid = 1;
beforeEach(() => {
  world.receiver.received.length = 0;
});

/**
 * The attempts of the customer's newest payment: the priority fee in micro-lamports per compute
 * unit, and the status of the transaction.
 */
async function readAttempts({ id: address }: Subscriber) {
  const payment = await world.ctx.db.payment.findFirstOrThrow({
    where: { subscription: { address } },
    orderBy: { periodStart: 'desc' },
    include: { attempts: { include: { transaction: true }, orderBy: { createdAt: 'asc' } } },
  });
  return payment.attempts.map(({ transaction }) => ({
    unitFee: computeUnitPriceOf(parseTransaction(new Uint8Array(transaction?.wire ?? []))),
    status: transaction?.status,
  }));
}

async function expectEachPaidOnceMore(): Promise<void> {
  await world.quiet();
  paid += 1;
  for (const customer of customers) {
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    expect(await world.tokensOf(customer.wallet.address)).toBe((100n - BigInt(paid)) * PRICE);
    const payments = await world.books(customer.id);
    expect(payments.map(({ status }) => status)).toEqual(Array(paid).fill('SUCCEEDED'));
    // No failure is recorded.
    expect(world.receivedEvents(customer.id)).toEqual(['payment_succeeded']);
  }
}

describe('payments on a congested cluster', () => {
  it('offer a higher fee after each expiry, until they land', async () => {
    world.setFaults({ congestedBelow: 15_000 });
    await world.jump(DAY);
    await vi.waitFor(async () => {
      for (const { id } of customers) expect(await world.books(id)).toHaveLength(paid + 1);
      for (const { id } of customers)
        expect((await world.books(id)).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    }, SOON);
    world.setFaults({ congestedBelow: 0 });
    await expectEachPaidOnceMore();
    expect(await counterRegistry.metrics()).toMatch(
      /dues_transactions_expired_total\{environment="TEST"\} [2-9]/,
    );
    for (const customer of customers) {
      const attempts = await readAttempts(customer);
      expect(attempts.map(({ status }) => status)).toEqual(['EXPIRED', 'EXPIRED', 'LANDED']);
      const [first, second, third] = attempts.map(({ unitFee }) => Math.floor(Number(unitFee) / 100) * 100);
      expect([first, second, third]).toEqual([1_000, 4_000, 16_000]);
    }
  });

  it('never offer more than is allowed, and are collected after the congestion', async () => {
    world.setFaults({ congestedBelow: CAP * 2 });
    await world.jump(DAY);
    const [first] = customers as [Subscriber];
    await vi.waitFor(async () => {
      expect((await readAttempts(first)).filter(({ status }) => status === 'EXPIRED').length).toBeGreaterThan(
        3,
      );
    }, SOON);
    for (const customer of customers)
      expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    world.setFaults({ congestedBelow: 0 });
    await expectEachPaidOnceMore();
    for (const customer of customers) {
      const unitFees = (await readAttempts(customer)).map(({ unitFee }) => Number(unitFee));
      // The smallest increase is one lamport, which is some tens of micro-lamports per unit.
      expect(Math.max(...unitFees)).toBeGreaterThanOrEqual(CAP);
      expect(Math.max(...unitFees)).toBeLessThan(CAP * 1.01);
    }
  });
});
