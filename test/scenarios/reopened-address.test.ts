import { AccountRole, type Address, getI64Encoder, getStructEncoder, getU8Encoder } from '@solana/kit';
import { getRevokeSubscriptionOverlayInstruction } from '@solana/subscriptions';
import { describe, expect, it } from 'vitest';
import { decodeSubscription } from '../../src/chain/accounts/accounts.ts';
import { EVENT_AUTHORITY, PROGRAM } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { suspendAt } from './suspend-at.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

/** The number of attempts to collect from this customer that are in flight. */
function countInFlight({ id: address }: Subscriber) {
  const where = { status: 'SUBMITTED' as const, payment: { subscription: { address } } };
  return world.ctx.db.attempt.count({ where });
}

/** Closes the account: possible once the cancelled subscription has ended on chain. */
async function closeAccount({ wallet, plan, id }: Subscriber): Promise<void> {
  const subscriptionPda = id as Address;
  await world.land(wallet, [
    getRevokeSubscriptionOverlayInstruction({ authority: wallet, planPda: plan, subscriptionPda }),
  ]);
}

/** Ends the subscription at once with both signatures (instruction 17; the client lacks it). */
async function cancelNow({ wallet, plan, id }: Subscriber): Promise<void> {
  const { merchantWallet, chain } = world;
  const [account] = await readAccounts(chain, [id as Address], 'program');
  if (!account) throw new Error('no subscription');
  const data = getStructEncoder([
    ['discriminator', getU8Encoder()],
    ['periodStart', getI64Encoder()],
  ]).encode({ discriminator: 17, periodStart: decodeSubscription(account.data).periodStart });
  const signers = [wallet, merchantWallet].map((signer) => ({
    address: signer.address,
    role: AccountRole.READONLY_SIGNER,
    signer,
  }));
  const accounts = [
    ...signers,
    { address: plan, role: AccountRole.READONLY },
    { address: id as Address, role: AccountRole.WRITABLE },
    { address: EVENT_AUTHORITY, role: AccountRole.READONLY },
    { address: PROGRAM, role: AccountRole.READONLY },
  ];
  await world.land(wallet, [{ programAddress: PROGRAM, accounts, data }]);
}

async function subscriptionsOf({ id: address }: Subscriber) {
  const rows = await world.ctx.db.subscription.findMany({
    where: { address },
    include: { payments: { where: { status: 'SUCCEEDED' } } },
    orderBy: { chainCreatedAt: 'asc' },
  });
  return rows.map(({ status, payments }) => `${status}, paid ${payments.length}`);
}

/**
 * A customer whose second payment is due ends the subscription together with the merchant, and
 * subscribes again, while no worker and no indexer runs.
 */
async function resubscribeUnseen(before?: (customer: Subscriber) => Promise<void>) {
  const planId = await world.plan();
  const customer = await world.subscriber(planId);
  await world.quiet();
  await Promise.all([world.stopWorkers(), world.stopIndexer()]);
  await world.jump(DAY + 30);
  await before?.(customer);
  const again = await world.checkout(planId, { wallet: customer.wallet });
  await cancelNow(customer);
  await closeAccount(customer);
  const signature = await again.approve();
  return { customer, complete: () => again.complete(signature) };
}

describe('an address whose account was closed and created again', () => {
  it('has two subscriptions with their own books, and answers with the newer one', async () => {
    const planId = await world.plan();
    const first = await world.subscriber(planId);
    await world.quiet();
    await first.cancel();
    await world.until(
      'the subscription is cancelled',
      async () => (await first.state()).state === 'cancelled',
    );
    await world.travel(DAY + 60);
    await closeAccount(first);
    const second = await world.subscriber(planId, { wallet: first.wallet });
    expect(second.id).toBe(first.id);
    await world.quiet();
    expect(await subscriptionsOf(first)).toEqual(['CANCELLED, paid 1', 'ACTIVE, paid 1']);
    expect(await second.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.travel(DAY);
    expect(await subscriptionsOf(first)).toEqual(['CANCELLED, paid 1', 'ACTIVE, paid 2']);
    expect(await world.tokensOf(first.wallet.address)).toBe(97n * PRICE);
    expect(world.receivedEvents(first.id)).toEqual([
      ...['created', 'payment_succeeded', 'cancelled'],
      ...['created', 'payment_succeeded', 'payment_succeeded'],
    ]);
    const starts = world.webhooks(first.id).map(({ data }) => String(data.startedAt));
    const [before, after] = [starts[0] ?? '', starts[3] ?? ''];
    expect(starts).toEqual([before, before, before, after, after, after]);
    expect(after > before).toBe(true);
  });

  it('is not charged for the old subscription while the new one is unknown', async () => {
    const { customer, complete } = await resubscribeUnseen();
    await collectDue(world.ctx, 'TEST');
    expect(await countInFlight(customer)).toBe(0);
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE);
    await complete();
    await Promise.all([world.startIndexer(), world.startWorkers()]);
    await expectEachPaidOnce(customer);
    const events = await world.ctx.db.event.findMany({
      where: { subscription: { address: customer.id } },
      orderBy: { position: 'asc' },
    });
    const order = events.map(({ type }) => type.replace('subscription.', ''));
    expect(order.slice(0, 4)).toEqual(['created', 'payment_succeeded', 'cancelled', 'created']);
    expect(events[3]?.createdAt.getTime()).toBeGreaterThan(Number(events[2]?.createdAt));
  });

  it('has the new subscription paid by a pull that was meant for the old one', async () => {
    const { ctx, reached, release } = suspendAt(world.ctx, 'getLatestBlockhash');
    let collecting: Promise<void> | undefined;
    const { customer } = await resubscribeUnseen(async () => {
      collecting = collectDue(ctx, 'TEST');
      await reached(collecting);
    });
    release();
    await collecting;
    await world.until('the transaction has landed', async () => {
      await followTransactions(world.ctx, 'TEST');
      return (await countInFlight(customer)) === 0;
    });
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
    expect(await world.ctx.db.attempt.count({ where: { status: 'VOID' } })).toBe(1);
    await Promise.all([world.startIndexer(), world.startWorkers()]);
    await expectEachPaidOnce(customer);
  });
});

async function expectEachPaidOnce(customer: Subscriber): Promise<void> {
  const paid = ['CANCELLED, paid 1', 'ACTIVE, paid 1'];
  await world.until(
    'the new subscription is paid',
    async () => `${await subscriptionsOf(customer)}` === `${paid}`,
  );
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  expect(world.receivedEvents(customer.id).sort()).toEqual(
    ['created', 'payment_succeeded', 'cancelled', 'created', 'payment_succeeded'].sort(),
  );
  await world.travel(DAY);
  expect(await subscriptionsOf(customer)).toEqual(['CANCELLED, paid 1', 'ACTIVE, paid 2']);
}
