import { describe, expect, it } from 'vitest';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { decideUndecidedPayments } from '../../src/domain/billing/settle/decide-undecided-payments.ts';
import { isSound } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { reconcileTransfers } from '../../src/domain/maintenance/books-check/reconcile-transfers.ts';
import { pullAsMerchant, subscribeUntilDue } from '../scenarios/merchant-pulls.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startWorld());

describe('periods that the merchant has collected while the indexer did not run', () => {
  const missedEvents = ({ id }: Subscriber) =>
    world.receivedEvents(id).filter((type) => type === 'payment_missed');
  const statuses = async ({ id }: Subscriber) =>
    (await world.books(id)).map(({ status, number }) => `${status} ${number}`);

  it('are settled by reconciling in their order, whatever the length of the history', async () => {
    const customer = await subscribeUntilDue(world);
    await world.stopIndexer();
    await pullAsMerchant(world, customer, PRICE);
    await world.jump(DAY);
    // More transfers than are settled in one database transaction.
    const part = PRICE / 250n;
    for (let transfers = 0; transfers <= 200; transfers += 8) await pullAsMerchant(world, customer, part, 8);
    const repaired: string[] = [];
    for await (const audit of reconcileTransfers(world.ctx, world.scope)) {
      repaired.push(...audit.repaired);
      expect(isSound(audit)).toBe(true);
    }
    expect(repaired).toHaveLength(27);
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2', 'SUCCEEDED 3']);
    await world.startIndexer();
    await world.startWorkers();
    await world.quiet();
    expect(missedEvents(customer)).toEqual([]);
  });

  it('are not missed before the indexer has read them, and unpaid ones are missed then', async () => {
    const customer = await subscribeUntilDue(world);
    await world.stopIndexer();
    await pullAsMerchant(world, customer, PRICE);
    await world.jump(2 * DAY);
    // As while a stream is replayed: blocks arrive, and none is newer.
    await world.ctx.db.$executeRaw`UPDATE "StreamPosition" SET "heardAt" = now(), "headSlot" = "slot"`;
    await world.startWorkers();
    await world.until(
      'the current period is paid',
      async () => (await world.books(customer.id)).length === 4,
    );
    await world.quiet();
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'DUE null', 'DUE null', 'SUCCEEDED 2']);
    expect(missedEvents(customer)).toEqual([]);
    await world.startIndexer();
    await world.decided(customer.id);
    await world.until('the webhook has arrived', () => missedEvents(customer).length > 0);
    await world.quiet();
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 3', 'MISSED null', 'SUCCEEDED 2']);
    const missed = world.webhooks(customer.id).filter(({ event }) => event === 'subscription.payment_missed');
    const [, , unpaid] = await world.books(customer.id);
    expect(missed.map(({ data }) => data.paymentId)).toEqual([unpaid?.id]);
  });

  it('are not missed while a transaction is set aside, but those that began later are', async () => {
    const customer = await subscribeUntilDue(world);
    await world.jump(DAY);
    await world.mirrored();
    const [kind, slot] = ['transaction', 1n];
    const at = { createdAt: world.ctx.clock.now(), triedAt: world.ctx.clock.now() };
    const unread = { ...at, kind, slot, subject: 'unread', payload: {}, error: 'unreadable' };
    const { id } = await world.ctx.db.unappliedUpdate.create({ data: { ...unread, environment: 'TEST' } });
    await world.jump(3 * DAY);
    await world.mirrored();
    await world.startWorkers();
    await world.until('later periods are missed', () => missedEvents(customer).length === 2);
    await world.quiet();
    const later = ['MISSED null', 'MISSED null', 'SUCCEEDED 2'];
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'DUE null', 'DUE null', ...later]);
    await world.ctx.db.unappliedUpdate.update({ where: { id }, data: { resolvedAt: at.createdAt } });
    await world.until('the others are missed', () => missedEvents(customer).length === 4);
  });

  it('are not missed while their transfer is stored but not settled', async () => {
    const customer = await subscribeUntilDue(world);
    await world.jump(DAY);
    await world.mirrored();
    const [first] = await world.books(customer.id);
    const transferKey = { environment: 'TEST', signature: 'waiting', index: 0, slot: 1n } as const;
    const ofCustomer = { subscriptionAddress: customer.id, planAddress: customer.plan };
    const periodStart = (first?.periodStart ?? 0n) + BigInt(DAY);
    await world.ctx.db.chainTransfer.create({
      data: { ...transferKey, ...ofCustomer, amount: PRICE, periodStart },
    });
    await collectDue(world.ctx, 'TEST');
    await decideUndecidedPayments(world.ctx, 'TEST');
    expect((await world.books(customer.id))[1]).toMatchObject({ status: 'DUE' });
    await world.startWorkers();
    await world.until(
      'every period is paid',
      async () => !(await world.books(customer.id)).some(({ status }) => status !== 'SUCCEEDED'),
    );
    expect(await world.books(customer.id)).toHaveLength(3);
    expect(missedEvents(customer)).toEqual([]);
  });
});
