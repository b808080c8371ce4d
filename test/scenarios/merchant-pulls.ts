import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { unixSeconds } from '../../src/chain/chain-time.ts';
import { withBooks } from '../../src/domain/billing/book/with-books.ts';
import { createPrice } from '../../src/domain/billing/price/create-price.ts';
import { LINE_SOURCES } from '../../src/domain/billing/price/line-sources.ts';
import { scheduleOf } from '../../src/domain/billing/schedule/billable.ts';
import { collectablePeriod } from '../../src/domain/billing/schedule/collectable-period.ts';
import { paymentOf } from '../../src/domain/billing/settle/payment-of-period.ts';
import { pullInstruction } from '../../tools/world/pull-instruction.ts';
import { DAY, type Subscriber, type World } from './world.ts';

/**
 * The merchant's wallet owns the plan, and may collect without dues: `times` times the amount, in
 * one transaction.
 */
export async function pullAsMerchant(
  world: World,
  { plan, wallet }: Subscriber,
  amount: bigint,
  times = 1,
): Promise<void> {
  const { merchantWallet } = world;
  const paid = { address: plan, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  const pull = await pullInstruction(merchantWallet, paid, wallet.address, amount);
  await world.land(merchantWallet, Array(times).fill(pull));
}

/**
 * Subscribes a customer, who pays the first period, and moves the time to the second one, which no
 * worker collects.
 */
export async function subscribeUntilDue(world: World): Promise<Subscriber> {
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  await world.stopWorkers();
  await world.jump(DAY);
  return customer;
}

/** Gives the customer's subscription another price. The limit that the customer approved stays. */
export async function changePrice(world: World, { id: address }: Subscriber, amount: bigint): Promise<void> {
  const { db } = world.ctx;
  const { id, plan } = await db.subscription.findFirstOrThrow({
    where: { address },
    include: { plan: true },
  });
  const { id: priceId } = await createPrice(world.ctx, world.scope, plan.planId, amount);
  await db.subscription.update({ where: { id }, data: { priceId, nextAmount: amount } });
}

/** Adds a payment to the running period, beside the scheduled one. */
export async function addExtra(world: World, { id: address }: Subscriber, amount: bigint): Promise<void> {
  const { db } = world.ctx;
  const { id, lineSources, chainCreatedAt } = await db.subscription.findFirstOrThrow({ where: { address } });
  await db.subscription.update({ where: { id }, data: { lineSources: lineSources | LINE_SOURCES.EXTRA } });
  const day = BigInt(DAY);
  const passed = (unixSeconds(world.ctx.clock.now()) - chainCreatedAt) / day;
  const key = { subscriptionId: id, periodStart: chainCreatedAt + passed * day };
  await withBooks(world.ctx, [key], async ({ books, now }) => {
    const book = books.get(id);
    if (!book) throw new Error(`no subscription ${id}`);
    const period = collectablePeriod(scheduleOf(book.subscription), unixSeconds(now));
    paymentOf(book, period, now);
    const lines = [{ kind: 'EXTRA', text: 'Ten more calls', amount }];
    book.addPayment({ periodStart: period.periodStart, dueAt: now, kind: 'EXTRA', lines });
    book.set({ nextAttemptAt: now });
  });
}
