import { address, generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { expect, it, onTestFinished } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { signaturesFor } from '../../src/chain/rpc/chain-transaction.ts';
import { checkRefunds } from '../../src/domain/billing/refund/check-refunds.ts';
import { WATCHED_AFTER_MS } from '../../src/domain/billing/refund/refund-status.ts';
import { auditBooks, isSound } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { reconcileTransfers } from '../../src/domain/maintenance/books-check/reconcile-transfers.ts';
import { type Crash, Crashed, crashingContext } from '../scenarios/crashing-context.ts';
import {
  cancel,
  create,
  payLink,
  refundEvents,
  refundOf,
  subscribeAndPay,
  transactionOf,
  transfer,
  untilSettled,
  useRefundWorld,
  world,
} from '../scenarios/refund-world.ts';
import { DAY, PRICE } from '../scenarios/world.ts';

useRefundWorld();

it('a refund is not sent again or cancelled while others hide its transfer', async () => {
  const customer = await subscribeAndPay();
  const refund = await create(customer.paymentId);
  const stranger = await generateKeyPairSigner();
  world.fund(stranger.address);
  await world.rpc('surfnet_setTokenAccount', [
    ...[stranger.address, USDC_MINT, { amount: '1000' }],
    TOKEN_PROGRAM_ADDRESS,
  ]);
  await world.stopWorkers();
  await payLink(refund.solanaPayUrl);
  await expect(transactionOf(refund.id)).rejects.toThrow('The refund was sent');
  await expect(cancel(refund.id)).rejects.toThrow('The refund was sent');
  const strangersTransfers = Array.from({ length: 10 }, (_, number) => ({
    from: stranger,
    to: customer.wallet.address,
    amount: BigInt(number),
    references: [refund.reference],
  }));
  for (const details of strangersTransfers) await world.land(stranger, [await transfer(details)]);
  await expect(transactionOf(refund.id)).rejects.toThrow('may have been sent');
  await world.startWorkers();
  await untilSettled(refund.id);
});

it('the last check begins at the newest transaction', async () => {
  const { paymentId, wallet } = await subscribeAndPay();
  const refund = await create(paymentId);
  await world.stopWorkers();
  const stranger = await generateKeyPairSigner();
  world.fund(stranger.address);
  await world.rpc('surfnet_setTokenAccount', [
    ...[stranger.address, USDC_MINT, { amount: '1000' }],
    TOKEN_PROGRAM_ADDRESS,
  ]);
  const strangersTransfer = {
    from: stranger,
    to: wallet.address,
    amount: 1n,
    references: [refund.reference],
  };
  await world.land(stranger, [await transfer(strangersTransfer)]);
  const [{ signature } = { signature: '' }] = await signaturesFor(world.chain, address(refund.reference), {
    limit: 1,
  });
  await payLink(refund.solanaPayUrl);
  await world.blocks(40);
  // An earlier check had read back to that transfer when its worker stopped. The watch has ended.
  const now = world.ctx.clock.now().getTime();
  const expiresAt = new Date(now - WATCHED_AFTER_MS - 60_000);
  await world.ctx.db.refund.update({
    where: { id: refund.id },
    data: { expiresAt, nextCheckAt: new Date(now - 120_000), checkingFrom: signature, checkingTo: signature },
  });
  await checkRefunds(world.ctx, world.chain);
  expect((await refundOf(refund.id)).status).toBe('SUCCEEDED');
  await world.startWorkers();
});

it('a check does not end at a node that lacks the transaction where it continues', async () => {
  const { paymentId } = await subscribeAndPay();
  const { id } = await create(paymentId);
  await world.stopWorkers();
  onTestFinished(() => world.startWorkers());
  const unknown = getBase58Decoder().decode(new Uint8Array(64).fill(7));
  const progress = { checkingFrom: unknown, checkingTo: unknown };
  const { refund } = world.ctx.db;
  await refund.update({ where: { id }, data: { ...progress, nextCheckAt: world.ctx.clock.now() } });
  await checkRefunds(world.ctx, world.chain);
  expect(await refund.findUniqueOrThrow({ where: { id } })).toMatchObject({ ...progress, checkedTo: null });
});

it('refunds are checked 128 at a time, with a pause while more are due', async () => {
  const { paymentId } = await subscribeAndPay();
  const { db, clock } = world.ctx;
  await world.stopWorkers();
  onTestFinished(async () => {
    await db.refund.deleteMany({ where: { paymentId } });
    await world.startWorkers();
  });
  // Refunds of earlier tests would be among the 128.
  await db.refund.updateMany({ where: { nextCheckAt: { not: null } }, data: { nextCheckAt: null } });
  const at = clock.now();
  const expiresAt = new Date(at.getTime() + DAY * 1_000);
  const references = await Promise.all(
    Array.from({ length: 129 }, async () => (await generateKeyPairSigner()).address),
  );
  await db.refund.createMany({
    data: references.map((reference) => ({
      ...world.scope,
      paymentId,
      amount: 1n,
      reference,
      createdAt: at,
      requestedAt: at,
      expiresAt,
      nextCheckAt: at,
    })),
  });
  const next = await checkRefunds(world.ctx, world.chain);
  expect(next?.getTime()).toBeGreaterThanOrEqual(at.getTime() + 5_000);
  expect(await db.refund.count({ where: { paymentId, nextCheckAt: at } })).toBe(1);
});

it('a process that crashes at any call settles a refund once, with one event', async () => {
  const customer = await subscribeAndPay();
  await world.stopWorkers();
  const crashOnce = async (crash: Crash): Promise<number> => {
    const { id, solanaPayUrl } = await create(customer.paymentId, { amount: '1' });
    await payLink(solanaPayUrl);
    await world.blocks(40);
    await world.jump(5);
    const process = crashingContext(world.ctx, crash);
    await checkRefunds(process.ctx, process.ctx.chain.TEST as Chain).catch((error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
    });
    await world.jump(5);
    await checkRefunds(world.ctx, world.chain);
    const data = { path: ['refundId'], equals: id };
    const events = await world.ctx.db.event.count({ where: { type: 'payment.refunded', data } });
    const { status } = await refundOf(id);
    expect({ crash, events, status }).toEqual({ crash, events: 1, status: 'SUCCEEDED' });
    return process.calls();
  };
  const calls = await crashOnce({ at: Number.POSITIVE_INFINITY, when: 'before' });
  for (let at = 1; at <= calls; at += 1) await crashOnce({ at, when: 'before' });
  await crashOnce({ at: calls, when: 'after' });
  await world.startWorkers();
  await world.quiet();
  expect(refundEvents(customer)).toHaveLength(calls + 2);
});

it('reconciling finds a refund that was missed, and one that was sent twice', async () => {
  const audit = async () => {
    for await (const books of auditBooks(world.ctx, {})) return { isSound: isSound(books), ...books.refunds };
    throw new Error('There are no books');
  };
  const { amount } = await sumOfRefunds();
  const before = await audit();
  expect(before).toMatchObject({ isSound: true, sentOnChain: amount, booked: amount, differences: [] });

  const customer = await subscribeAndPay();
  const { id, solanaPayUrl, reference } = await create(customer.paymentId);
  await world.ctx.db.refund.update({ where: { id }, data: { nextCheckAt: null } });
  const signature = await payTwice(solanaPayUrl, reference);
  expect(await audit()).toMatchObject({
    isSound: false,
    differences: [{ refundId: id, sentOnChain: PRICE, booked: 0n }],
  });
  const repaired: string[] = [];
  for await (const result of reconcileTransfers(world.ctx, {})) repaired.push(...result.repaired);
  expect(repaired).toHaveLength(2);
  expect(await refundOf(id)).toMatchObject({ status: 'SUCCEEDED', signature });
  expect(repaired).toContain(signature);
  expect(await audit()).toMatchObject({
    isSound: false,
    differences: [],
    sentAgain: [{ refundId: id, amount: PRICE }],
    sentOnChain: amount + PRICE,
    booked: amount + PRICE,
    outside: before.outside + PRICE,
  });
});

/** Sends a refund twice, and returns the first signature when both are final. */
async function payTwice(link: string | null, reference: string): Promise<string | undefined> {
  await payLink(link);
  await payLink(link);
  await world.blocks(40);
  const newestFirst = await world.rpc<{ signature: string }[]>('getSignaturesForAddress', [reference]);
  expect(newestFirst).toHaveLength(2);
  return newestFirst.at(-1)?.signature;
}

it('a refund that was sent twice is settled by the first transfer', async () => {
  const customer = await subscribeAndPay();
  const { id, solanaPayUrl, reference } = await create(customer.paymentId, { amount: '2000000' });
  await world.ctx.db.refund.update({ where: { id }, data: { nextCheckAt: null } });
  const signature = await payTwice(solanaPayUrl, reference);
  await world.ctx.db.refund.update({ where: { id }, data: { nextCheckAt: world.ctx.clock.now() } });
  await checkRefunds(world.ctx, world.chain);
  expect(await refundOf(id)).toMatchObject({ status: 'SUCCEEDED', signature });
});

async function sumOfRefunds(): Promise<{ amount: bigint }> {
  const { _sum } = await world.ctx.db.refund.aggregate({
    where: { status: 'SUCCEEDED' },
    _sum: { amount: true },
  });
  return { amount: _sum.amount ?? 0n };
}
