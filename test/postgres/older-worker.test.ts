import { afterEach, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { unixSeconds } from '../../src/chain/chain-time.ts';
import { scheduledAt } from '../../src/domain/billing/book/book.ts';
import { withBooks } from '../../src/domain/billing/book/with-books.ts';
import { LINE_SOURCES } from '../../src/domain/billing/price/line-sources.ts';
import { scheduleOf } from '../../src/domain/billing/schedule/billable.ts';
import { collectablePeriod } from '../../src/domain/billing/schedule/collectable-period.ts';
import { attemptDelay } from '../../src/domain/billing/schedule/first-attempt.ts';
import { BEFORE_LINES, buildOlderRelease, hasCommit } from '../../tools/older-release.ts';
import { DuesProcess } from '../../tools/world/dues-process.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const isHere = hasCommit(BEFORE_LINES);
if (!isHere) console.warn(`SKIPPED: the worker of 0.2.0 beside this release: no commit ${BEFORE_LINES} here`);

/** Less than the plan's amount. */
const PRICED = PRICE / 2n;

async function start() {
  const closing = new AsyncDisposableStack();
  const folder = await buildOlderRelease(closing, BEFORE_LINES);
  const world = await startWorld();
  closing.defer(() => world.close());
  return { world, folder, close: () => closing.disposeAsync() };
}

describe.runIf(isHere)('while a worker of 0.2.0 runs', async () => {
  if (!isHere) return;
  const { world, folder } = await sharedByFile(start());
  const { ctx } = world;

  /** A worker of 0.2.0 leaves some of them due, and the next test would wait for them. */
  afterEach(async () => {
    await ctx.db.subscription.updateMany({ data: { status: 'EXPIRED', nextAttemptAt: null } });
  });

  const spent = async ({ wallet }: Subscriber) => 100n * PRICE - (await world.tokensOf(wallet.address));
  const untilSpent = (customers: readonly Subscriber[], amount: bigint) =>
    world.until(`${customers.length} customers have paid ${amount}`, async () => {
      const amounts = await Promise.all(customers.map(spent));
      return amounts.every((paid) => paid === amount);
    });

  /** Writes the scheduled payment of a subscription that has a price of its own. */
  async function writePriced({ id: address }: Subscriber): Promise<void> {
    const { id } = await ctx.db.subscription.findFirstOrThrow({ where: { address } });
    await ctx.db.subscription.update({ where: { id }, data: { lineSources: LINE_SOURCES.PRICE } });
    const { chainCreatedAt } = await ctx.db.subscription.findFirstOrThrow({ where: { id } });
    const periodStart = chainCreatedAt + BigInt(DAY);
    await withBooks(ctx, [{ subscriptionId: id, periodStart }], async ({ books, now }) => {
      const book = books.get(id);
      if (!book) throw new Error(`no subscription ${id}`);
      const period = collectablePeriod(scheduleOf(book.subscription), unixSeconds(now));
      const lines = [
        { kind: 'FLAT', text: 'Gold', amount: PRICE },
        { kind: 'DISCOUNT', text: 'Half price', amount: -PRICED },
      ];
      if (book.payment(scheduledAt(period.periodStart))) throw new Error('the payment exists');
      book.addPayment({
        periodStart: period.periodStart,
        dueAt: book.subscription.nextPaymentAt,
        kind: 'PERIOD',
        lines,
      });
    });
  }

  /** Starts a worker of 0.2.0. `over` rejects when it ends. */
  function startOlder() {
    const older = new DuesProcess(
      ['worker'],
      roleVariables(ctx.config.databaseUrl, world.chain.config, {
        SECRET_KEY: Buffer.from(ctx.config.secretKey).toString('base64'),
      }),
      { checkout: folder },
    );
    const over = older.ended().then(({ stdout, stderr }) => {
      throw new Error(`the worker of 0.2.0 has ended: ${stdout}${stderr}`);
    });
    return { older, over };
  }

  const change = ({ id }: Subscriber, mutation: string, args = '') =>
    world.graphql(`mutation ($id: ID!) { ${mutation}(subscription: $id ${args}) { id } }`, { id });
  const outcomesOf = async ({ id }: Subscriber) =>
    (await world.books(id)).map(({ status, waivedReason }) => waivedReason ?? status);

  it('nobody pays the full price, and plain subscriptions pay once', async () => {
    const planId = await world.plan();
    const customers = await Promise.all([0, 1, 2, 3, 4].map(() => world.subscriber(planId)));
    await world.quiet();
    await world.stopWorkers();
    const [discounted, unwritten, ...plain] = customers as [Subscriber, Subscriber, ...Subscriber[]];
    await world.jump(DAY);
    await writePriced(discounted);
    await ctx.db.subscription.updateMany({
      where: { address: unwritten.id },
      data: { lineSources: LINE_SOURCES.PRICE },
    });
    const { older, over } = startOlder();
    await Promise.race([over, untilSpent(plain, 2n * PRICE)]);
    // Its first payment is due later than those of the others.
    const later = await world.subscriber(planId);
    await untilSpent([later], PRICE);
    await untilSpent([discounted, unwritten], PRICE);
    expect(await world.books(unwritten.id)).toHaveLength(1);

    await world.startWorkers();
    await untilSpent([discounted], PRICE + PRICED);
    await untilSpent([unwritten], 2n * PRICE);
    await world.quiet();
    await world.jump(DAY);
    await untilSpent([...plain, unwritten], 3n * PRICE);
    await untilSpent([discounted], 2n * PRICE + PRICED);
    await untilSpent([later], 2n * PRICE);
    await world.quiet();
    expect((await older.ended('SIGTERM')).code).toBe(0);
    await world.blocks(2);
    const spentInAll = await Promise.all([...customers, later].map(spent));
    expect(spentInAll).toEqual([
      2n * PRICE + PRICED,
      3n * PRICE,
      3n * PRICE,
      3n * PRICE,
      3n * PRICE,
      2n * PRICE,
    ]);
    expect(await ctx.db.payment.count({ where: { status: 'SUCCEEDED' } })).toBe(17);
  });

  it('a discount is not left out, and no waived period is charged', async () => {
    const planId = await world.plan();
    const customers = await Promise.all([0, 1, 2, 3].map(() => world.subscriber(planId)));
    const [discounted, paused, free, plain] = customers as [Subscriber, Subscriber, Subscriber, Subscriber];
    await world.quiet();
    const { createDiscount } = await world.graphql<{ createDiscount: { id: string } }>(
      'mutation { createDiscount(input: { name: "Half price", percentBps: 5000 }) { id } }',
    );
    await change(discounted, 'applyDiscount', `discountId: "${createDiscount.id}"`);
    await change(paused, 'pauseSubscription', 'periods: 1');
    await change(free, 'grantFreePeriods', 'count: 1');
    await world.stopWorkers();
    await world.jump(DAY);
    const { older, over } = startOlder();
    await Promise.race([over, untilSpent([plain], 2n * PRICE)]);
    // Its first payment is due later than those of the others.
    const later = await world.subscriber(planId);
    await untilSpent([later], PRICE);
    expect(await Promise.all([discounted, paused, free].map(spent))).toEqual([PRICE, PRICE, PRICE]);
    expect(await Promise.all([discounted, paused, free].map(outcomesOf))).toEqual([
      ['SUCCEEDED'],
      ['SUCCEEDED'],
      ['SUCCEEDED'],
    ]);

    await world.startWorkers();
    await untilSpent([discounted], PRICE + PRICED);
    await world.quiet();
    expect(await outcomesOf(paused)).toEqual(['SUCCEEDED', 'PAUSED']);
    expect(await outcomesOf(free)).toEqual(['SUCCEEDED', 'FREE']);
    await world.jump(DAY);
    await untilSpent([paused, free], 2n * PRICE);
    await untilSpent([discounted], PRICE + 2n * PRICED);
    await untilSpent([plain], 3n * PRICE);
    await world.quiet();
    expect((await older.ended('SIGTERM')).code).toBe(0);
    await world.blocks(2);
    expect(await Promise.all(customers.map(spent))).toEqual([
      PRICE + 2n * PRICED,
      2n * PRICE,
      2n * PRICE,
      3n * PRICE,
    ]);
  });

  it('payments keep their own times, and a cancelled one is not made', async () => {
    const planId = await world.plan();
    await world.graphql(
      `mutation ($planId: String!) {
        updatePlan(planId: $planId, input: { collectWithinSeconds: 3600 }) { planId }
      }`,
      { planId },
    );
    const customers = await Promise.all([0, 1, 2, 3, 4, 5].map(() => world.subscriber(planId)));
    await world.quiet();
    await world.stopWorkers();
    const rows = await ctx.db.subscription.findMany({
      where: { address: { in: customers.map(({ id }) => id) } },
      orderBy: { nextAttemptAt: 'asc' },
    });
    const inOrder = rows.map(({ address }) => customers.find(({ id }) => id === address) as Subscriber);
    const attemptMs = rows.map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0);
    const jumpTo = (ms: number) => world.jump((ms - ctx.clock.now().getTime()) / 1000);
    const [first, last] = [inOrder[0] as Subscriber, inOrder[5] as Subscriber];
    const others = inOrder.slice(1, 5);
    await jumpTo((attemptMs[0] ?? 0) + 2_000);
    const { older, over } = startOlder();
    await Promise.race([over, untilSpent([first], 2n * PRICE)]);
    const early = others.filter((_, index) => (attemptMs[index + 1] ?? 0) > ctx.clock.now().getTime());
    expect(await Promise.all([...early, last].map(outcomesOf))).toEqual(
      [...early, last].map(() => ['SUCCEEDED']),
    );
    await world.graphql(
      'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: PERIOD_END) { transaction } }',
      { id: last.id },
    );
    await jumpTo((attemptMs[5] ?? 0) + 2_000);
    await untilSpent(others, 2n * PRICE);
    await world.until('it has ended', async () => (await last.state()).state === 'cancelled');
    await world.quiet();
    // It sets the next attempts to the due dates, and a worker of this release collects then.
    expect((await older.ended('SIGTERM')).code).toBe(0);
    await world.jump(DAY);
    await world.startWorkers();
    await untilSpent([first, ...others], 3n * PRICE);
    await world.quiet();
    expect(await spent(last)).toBe(PRICE);
    const { id, nextPaymentAt, nextAttemptAt } = await ctx.db.subscription.findFirstOrThrow({
      where: { address: first.id },
    });
    const delayMs = Number(attemptDelay(id, 3_600n)) * 1000;
    expect(nextAttemptAt).toEqual(new Date(nextPaymentAt.getTime() + delayMs));
  });

  it('it pays into the associated account, and both pay each payment once', async () => {
    const planId = await world.plan();
    const customers = await Promise.all(Array.from({ length: 6 }, () => world.subscriber(planId)));
    await world.quiet();
    await world.graphql(
      'mutation ($mint: String!) { setReceivingAccounts(mint: $mint, count: 2) { count } }',
      { mint: USDC_MINT },
    );
    const { receivingAccountsTransaction } = await world.graphql<{
      receivingAccountsTransaction: { transaction: string };
    }>('mutation ($mint: String!) { receivingAccountsTransaction(mint: $mint) { transaction } }', {
      mint: USDC_MINT,
    });
    await world.sign(world.merchantWallet, receivingAccountsTransaction.transaction);
    const balances = async () => {
      const { receivingAccounts } = await world.graphql<{
        receivingAccounts: { accounts: { balance: string }[] }[];
      }>('{ receivingAccounts { accounts { balance } } }');
      return receivingAccounts[0]?.accounts.map(({ balance }) => BigInt(balance)) ?? [];
    };
    await world.stopWorkers();
    const [before = 0n] = await balances();
    await world.jump(DAY);
    const { older, over } = startOlder();
    await Promise.race([over, untilSpent(customers, 2n * PRICE)]);
    const [first = 0n, second] = await balances();
    expect(second).toBe(0n);
    expect(first - before).toBeGreaterThanOrEqual(6n * PRICE);

    await world.startWorkers();
    for (const period of [3n, 4n]) {
      await world.jump(DAY);
      await untilSpent(customers, period * PRICE);
      await world.quiet();
    }
    expect((await older.ended('SIGTERM')).code).toBe(0);
    await world.jump(DAY);
    await untilSpent(customers, 5n * PRICE);
    await world.quiet();
    await world.blocks(2);
    expect(await Promise.all(customers.map(spent))).toEqual(Array(6).fill(5n * PRICE));
    const { _sum } = await ctx.db.payment.aggregate({
      where: { status: 'SUCCEEDED' },
      _sum: { paidAmount: true },
    });
    expect((await balances()).reduce((sum, balance) => sum + balance, 0n)).toBe(_sum.paidAmount);
  });
});
