import { expect, it } from 'vitest';
import { collectDue } from '../../../../src/domain/billing/collect/collect-due.ts';
import { OpenClaims } from '../../../../src/domain/billing/collect/open-claims.ts';
import { followTransactions } from '../../../../src/domain/billing/follow/follow-transactions.ts';
import { recordStatements } from '../../../../tools/statements.ts';
import { createAddress } from '../../../../tools/world/seed-subscriptions.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { DAY, startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const { ctx, db } = world;
world.fund(world.chain.collector.address, 1_000_000_000n);

/**
 * Statements that may be sent before or after the work ends: those of a new connection, which any statement may
 * open (`src/db/timeline.ts`), and those that add a job after a commit.
 */
const isNotCounted = ({ text }: { text: string }) => /pg_control_system|add_jobs?\(/.test(text);

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const statements = await recordStatements(work);
  return statements.filter((statement) => !isNotCounted(statement)).length;
}

it.each([1, 3])('%i plain charges take 25 statements to send, and 16 to settle', async (count) => {
  const plan = await world.publishPlan(merchant, { planId: `plain-${count}` });
  for (let index = 0; index < count; index++) await world.subscribe(merchant, plan, await world.newWallet());
  const paid = () => db.payment.count({ where: { planId: plan.id, status: 'SUCCEEDED' } });
  // The first charge fills what a process remembers.
  await collectDue(ctx, 'TEST');
  await followTransactions(ctx, 'TEST');
  expect(await paid()).toBe(count);
  await db.subscription.updateMany({ where: { planId: { not: plan.id } }, data: { nextAttemptAt: null } });
  await world.travel(DAY);
  const collect = await countStatements(() => collectDue(ctx, 'TEST'));
  const settle = await countStatements(() => followTransactions(ctx, 'TEST'));
  expect(await paid()).toBe(2 * count);
  expect({ collect, settle }).toEqual({ collect: 25, settle: 16 });
});

it('collects from each of 59 merchants with the first two batches, and then stops', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'shared' });
  const small = await world.newMerchant();
  const { id } = await world.subscribe(small, await world.publishPlan(small), await world.newWallet());
  const data = Array.from({ length: 57 }, (_, index) => ({
    companyName: 'Large',
    walletAddress: `large-${index}`,
  }));
  const others = await db.merchant.createManyAndReturn({ data });
  const large = [merchant.merchant, ...others].map(({ id }) => id);
  const { customerId } = await db.subscription.findUniqueOrThrow({ where: { id } });
  // Longer overdue, and without accounts on chain.
  const dueAt = new Date(world.ctx.clock.now().getTime() - 60_000);
  await db.subscription.createMany({
    data: large.flatMap((merchantId) =>
      Array.from({ length: 8 }, () => ({
        merchantId,
        environment: 'TEST' as const,
        planId: plan.id,
        customerId,
        address: createAddress(),
        chainCreatedAt: 0n,
        walletAddress: createAddress(),
        tokenAccount: createAddress(),
        startedAt: dueAt,
        nextPaymentAt: dueAt,
        nextAttemptAt: dueAt,
      })),
    ),
  });
  const claimed: (readonly string[])[] = [];
  class TwoClaims extends OpenClaims {
    override take(claim: Parameters<OpenClaims['take']>[0]) {
      if (claimed.push(claim.subscriptionIds) === 2) this.stop();
      return super.take(claim);
    }
  }
  await collectDue(ctx, 'TEST', { claims: new TwoClaims() });
  await followTransactions(ctx, 'TEST');
  expect(claimed.map(({ length }) => length)).toEqual([228, 228]);
  const merchants = await db.subscription.groupBy({
    by: ['merchantId'],
    where: { id: { in: claimed.flat() } },
  });
  expect(merchants).toHaveLength(59);
  expect(await db.payment.count({ where: { status: 'SUCCEEDED', subscriptionId: id } })).toBe(1);
});
