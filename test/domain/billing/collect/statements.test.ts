import { expect, it } from 'vitest';
import { collectDue } from '../../../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../../../src/domain/billing/follow/follow-transactions.ts';
import { recordStatements } from '../../../../tools/statements.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { DAY, startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const { ctx, db } = world;
world.fund(world.chain.collector.address, 1_000_000_000n);

/** The statements of a new connection, which any of them may open: `src/db/timeline.ts`. */
const ofConnection = ({ text }: { text: string }) => /pg_control_system/.test(text);

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const statements = await recordStatements(work);
  return statements.filter((statement) => !ofConnection(statement)).length;
}

// As many as before payments had lines.
it.each([1, 3])('%i plain charges take 24 statements to send, and 18 to settle', async (count) => {
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
  expect({ collect, settle }).toEqual({ collect: 24, settle: 18 });
});
