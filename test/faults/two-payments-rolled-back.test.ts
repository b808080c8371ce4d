import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { auditBooks, isSound } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { addExtra, changePrice, subscribeUntilDue } from '../scenarios/merchant-pulls.ts';
import { PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { contextWithFailure } from './context-with-failure.ts';

/** Transactions are final after eight seconds: time to roll back a confirmed one. */
const SLOT_MS = 250;
/** More than the time after which a transaction that is not seen is investigated. */
const VANISHED_SECONDS = 6 * 60;

const world = await sharedByFile(startWorld({ slotMs: SLOT_MS }));
await world.until('the merchant has SOL', async () => {
  const params = [world.merchantWallet.address, { commitment: 'confirmed' }];
  return (await world.rpc<{ value: number }>('getBalance', params)).value > 0;
});

const forgetTransaction = (signature: string) => world.rpc('localnet_forgetTransaction', [signature]);

async function expectSoundBooks(): Promise<void> {
  for await (const audit of auditBooks(world.ctx, {})) {
    expect(audit.differences).toEqual([]);
    expect(isSound(audit)).toBe(true);
  }
}

describe('one of two payments of a period', () => {
  /** Each is less than half of the limit, so the program would let both through twice. */
  const PART = PRICE / 5n;
  let customer: Subscriber;
  let signatures: readonly string[];
  beforeEach(async () => {
    await world.startWorkers();
    customer = await subscribeUntilDue(world);
    await changePrice(world, customer, PART);
    world.logged.length = 0;
    await addExtra(world, customer, PART);
  });

  // A payment of a later test does not share its transaction with those of this customer.
  afterEach(() => cancelSubscription(world.ctx, world.scope, { subscription: customer.id, when: 'NOW' }));

  const paid = async () => (await world.books(customer.id)).slice(1).map(({ status }) => status);
  const collectedUntil = (label: string, condition: () => Promise<boolean>) =>
    world.until(label, async () => {
      await collectDue(world.ctx, 'TEST');
      return condition();
    });

  /** Settles both payments. No jobs run afterwards. */
  async function settleBoth(afterFirst?: () => Promise<void>): Promise<void> {
    await collectedUntil('the first payment is settled', async () => (await paid())[0] === 'SUCCEEDED');
    await afterFirst?.();
    await collectedUntil('both are settled', async () => (await paid())[1] === 'SUCCEEDED');
    signatures = (await world.books(customer.id)).slice(1).map(({ signature }) => signature ?? '');
  }

  /** Both payments are collected, each once more than before. */
  async function expectBothChargedOnce(): Promise<void> {
    await world.startWorkers();
    await collectedUntil('both are settled', async () =>
      (await paid()).every((status) => status === 'SUCCEEDED'),
    );
    await world.quiet();
    await world.blocks(2);
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE - 2n * PART);
    expect((await world.books(customer.id)).map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(await world.ctx.db.chainTransfer.count({ where: { subscriptionAddress: customer.id } })).toBe(3);
    await expectSoundBooks();
  }

  it('is charged again, and the other, which is final, is not', async () => {
    await settleBoth(() =>
      world.until('the first one is final', async () => {
        await finalizePayments(world.ctx, 'TEST');
        return (await world.books(customer.id))[1]?.finalized === true;
      }),
    );
    await forgetTransaction(signatures[1] ?? '');
    await world.jump(VANISHED_SECONDS);
    await finalizePayments(world.ctx, 'TEST');
    expect(await paid()).toEqual(['SUCCEEDED', 'DUE']);
    await expectBothChargedOnce();
  });

  it('is reversed with the other if both are gone, and each is charged again once', async () => {
    await settleBoth();
    for (const signature of signatures.toReversed()) await forgetTransaction(signature);
    await world.jump(VANISHED_SECONDS);
    await finalizePayments(world.ctx, 'TEST');
    expect(await paid()).toEqual(['DUE', 'DUE']);
    expect((await world.books(customer.id)).map(({ number }) => number)).toEqual([1, null, null]);
    await expectBothChargedOnce();
  });

  it('stays settled, for a person to decide, if the other was paid after it', async () => {
    await settleBoth();
    await finalizePayments(await contextWithFailure(world, signatures.slice(0, 1), 'finalized'), 'TEST');
    expect(await paid()).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(world.logged.map(({ msg }) => msg)).toEqual(['payment no longer on chain: check it by hand']);
    await expectBothChargedOnce();
  });
});
