import { randomUUID } from 'node:crypto';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getApproveInstruction } from '@solana-program/token';
import { expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { ReceiptDocument } from '../../src/domain/billing/receipt/receipt-document.ts';
import { cancelRefund } from '../../src/domain/billing/refund/cancel-refund.ts';
import { checkRefunds } from '../../src/domain/billing/refund/check-refunds.ts';
import { createRefund, MAX_WATCHED } from '../../src/domain/billing/refund/create-refund.ts';
import { refundTransaction } from '../../src/domain/billing/refund/refund-transaction.ts';
import { MAX_REFUNDS } from '../../src/domain/catalog/money/max-refunds.ts';
import { alteredRpc } from '../chain/altered-rpc.ts';
import {
  cancel,
  create,
  payLink,
  refundEvents,
  refundOf,
  smtp,
  subscribeAndPay,
  type Transfer,
  transactionOf,
  transfer,
  USDC,
  untilSettled,
  useRefundWorld,
  world,
  YEAR,
} from './refund-world.ts';
import { type Asset, DAY, PRICE } from './world.ts';

useRefundWorld();

it('the merchant’s wallet refunds a part, and the remainder with a link', async () => {
  const customer = await subscribeAndPay();
  const before = await world.tokensOf(customer.wallet.address);
  const first = await create(customer.paymentId, { amount: '2000000', reason: 'Two days without service' });
  expect(first).toMatchObject({ status: 'PENDING', amount: '2000000', recipient: customer.wallet.address });
  expect(first.inFlight).toBe(false);
  const transaction = await transactionOf(first.id);
  // The transaction may be sent from now on, so the refund is not offered in another way.
  expect(await refundOf(first.id)).toMatchObject({ inFlight: true, solanaPayUrl: null });
  await world.sign(world.merchantWallet, transaction);
  await untilSettled(first.id);
  expect(await refundOf(first.id)).toMatchObject({ inFlight: false });

  const remainder = await create(customer.paymentId);
  expect(remainder.amount).toBe('3000000');
  expect(remainder.solanaPayUrl).toMatch(
    new RegExp(
      `^solana:${customer.wallet.address}\\?amount=3\\.00&spl-token=${USDC_MINT}&reference=${remainder.reference}&label=Acme&`,
    ),
  );
  await payLink(remainder.solanaPayUrl);
  await untilSettled(remainder.id);
  await world.quiet();

  expect(await world.tokensOf(customer.wallet.address)).toBe(before + PRICE);
  expect(await refundOf(remainder.id)).toMatchObject({ solanaPayUrl: null });
  const events = refundEvents(customer);
  expect(events.map(({ amount, refundedAmount }) => [amount, refundedAmount])).toEqual([
    ['2000000', '2000000'],
    ['3000000', '5000000'],
  ]);
  expect(events[0]).toMatchObject({
    paymentId: customer.paymentId,
    refundId: first.id,
    signature: (await refundOf(first.id)).signature,
    paymentAmount: '5000000',
    reason: 'Two days without service',
    metadata: { source: 'scenario' },
  });
  const { payment } = await world.graphql<{ payment: object }>(
    'query ($id: ID!) { payment(id: $id) { refundedAmount refundableAmount refunds { id } } }',
    { id: customer.paymentId },
  );
  expect(payment).toEqual({
    refundedAmount: '5000000',
    refundableAmount: '0',
    refunds: [{ id: first.id }, { id: remainder.id }],
  });
  const { payment: withReceipt } = await world.graphql<{ payment: { receipt: { url: string } } }>(
    'query ($id: ID!) { payment(id: $id) { receipt { url } } }',
    { id: customer.paymentId },
  );
  const receipt = new URL(withReceipt.receipt.url).pathname;
  const [page, file] = await Promise.all(
    ['', '/receipt.json'].map(async (path) => (await fetch(`${world.apiUrl}${receipt}${path}`)).text()),
  );
  for (const refund of ['2.00 USDC', '3.00 USDC', 'Refunded on']) expect(page).toContain(refund);
  expect(JSON.parse(file ?? '')).toMatchObject({
    receipt: { amount: { baseUnits: '5000000' } },
    later: {
      refunds: [
        { amount: '2000000', signature: (await refundOf(first.id)).signature },
        { amount: '3000000' },
      ],
    },
  });
  const mails = smtp.to(`${customer.wallet.address.slice(0, 8)}@example.com`);
  expect(mails[0]?.text).toContain(receipt);
  expect(mails.map(({ subject }) => subject)).toEqual([
    '[Test] Refund from Acme: 2.00 USDC',
    '[Test] Refund from Acme: 3.00 USDC',
  ]);
  expect(mails[0]?.text).toContain('Two days without service');
  const today = new Date(world.ctx.clock.now()).toISOString().slice(0, 10);
  const { metrics } = await world.graphql<{ metrics: { days: object[] } }>(
    'query ($day: String!) { metrics(from: $day, to: $day) { days { refunds refunded { amount } } } }',
    { day: today },
  );
  expect(metrics.days).toEqual([{ refunds: 2, refunded: [{ amount: '5000000' }] }]);
  await expect(create(customer.paymentId)).rejects.toThrow('Nothing of the payment is left');
  await expect(transactionOf(first.id)).rejects.toThrow('The refund is SUCCEEDED');
});

it('only the merchant’s transfer counts, and only once', async () => {
  const [customer, other] = await Promise.all([subscribeAndPay(), subscribeAndPay()]);
  const refund = await create(customer.paymentId);
  const twin = await create(other.paymentId);
  const [to, references] = [customer.wallet.address, [refund.reference]];
  const { merchantWallet } = world;
  const asset = await world.newAsset();
  const stranger = await generateKeyPairSigner();
  world.fund(stranger.address);
  const setTokens = (wallet: Address, { mint, tokenProgram }: Asset) =>
    world.rpc('surfnet_setTokenAccount', [wallet, mint, { amount: '1000000000' }, tokenProgram]);
  await Promise.all([
    ...[stranger, merchantWallet].map((wallet) => setTokens(wallet.address, USDC)),
    ...[customer.wallet, merchantWallet].map((wallet) => setTokens(wallet.address, asset)),
  ]);
  await world.blocks(2);
  const send = async (from: KeyPairSigner, ...transfers: Omit<Transfer, 'from'>[]) =>
    world.land(from, await Promise.all(transfers.map((details) => transfer({ ...details, from }))));
  // From other wallets: a stranger's, and the customer's own.
  await send(stranger, { to, amount: PRICE, references });
  await send(customer.wallet, { to, amount: PRICE, references });
  // From the merchant: too little, another token, another customer, and without the reference.
  await send(merchantWallet, { to, amount: PRICE - 1n, references }, { to, amount: 1n, references });
  await send(merchantWallet, { to, amount: PRICE, references, asset });
  await send(merchantWallet, { to: other.wallet.address, amount: PRICE, references });
  await send(merchantWallet, { to, amount: PRICE }, { to, amount: 0n, references });
  // The customer's own tokens, sent by the merchant as their delegate.
  const source = await tokenAccountAddress(to, USDC.mint, USDC.tokenProgram);
  const approval = { source, delegate: merchantWallet.address, owner: customer.wallet, amount: PRICE };
  await world.land(customer.wallet, [getApproveInstruction(approval)]);
  await send(merchantWallet, { owner: to, to, amount: PRICE, references });
  // More than a page of transfers from a stranger, and a transaction that fails.
  const strangersTransfers = Array.from({ length: 30 }, (_, number) => BigInt(number));
  await Promise.all(strangersTransfers.map((amount) => send(stranger, { to, amount, references })));
  await expect(send(merchantWallet, { to, amount: 1n << 60n, references })).rejects.toThrow('did not land');
  await world.until('the first check has ended', async () => {
    const { checkedTo } = await world.ctx.db.refund.findUniqueOrThrow({ where: { id: refund.id } });
    return checkedTo !== null;
  });
  expect(await refundOf(refund.id)).toMatchObject({ status: 'PENDING', signature: null });
  expect(refundEvents(customer)).toEqual([]);

  await send(merchantWallet, { to, amount: PRICE, references: [refund.reference, twin.reference] });
  await untilSettled(refund.id);
  expect(await refundOf(twin.id)).toMatchObject({ status: 'PENDING' });
  await payLink(twin.solanaPayUrl);
  await untilSettled(twin.id);
  await world.quiet();
  expect([refundEvents(customer).length, refundEvents(other).length]).toEqual([1, 1]);
});

it('requests at the same time never refund more than the payment', async () => {
  const { paymentId } = await subscribeAndPay();
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => create(paymentId, { amount: '2000000' })),
  );
  const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(created).toHaveLength(2);
  const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(String(refusal.reason)).toContain('amount must be 1 to 1000000 base units');

  const keyed = { amount: '1000000', idempotencyKey: 'order 7' };
  const same = await Promise.all(Array.from({ length: 4 }, () => create(paymentId, keyed)));
  expect(new Set(same.map(({ id }) => id)).size).toBe(1);
  await expect(create(paymentId, { ...keyed, amount: '1' })).rejects.toThrow('used for another refund');
  await expect(create(paymentId)).rejects.toThrow('Nothing of the payment is left');
  for (const { id } of [...created, ...same]) await cancel(id);
  expect((await create(paymentId)).amount).toBe('5000000');
});

it('a refund is refused without tokens, before it is final, and for others', async () => {
  const { paymentId } = await subscribeAndPay();
  const refund = await create(paymentId);
  const { merchantWallet, ctx } = world;
  const setTokens = async (amount: bigint) => {
    await world.rpc('surfnet_setTokenAccount', [merchantWallet.address, USDC_MINT, { amount: `${amount}` }]);
    await world.blocks(2);
  };
  await setTokens(PRICE - 1n);
  await expect(transactionOf(refund.id)).rejects.toThrow(
    "The merchant's wallet has too little of the token.",
  );
  await setTokens(1_000n * PRICE);
  await transactionOf(refund.id);

  await ctx.db.payment.update({ where: { id: paymentId }, data: { finalized: false } });
  await expect(create(paymentId)).rejects.toThrow('not final on chain yet');
  await ctx.db.payment.update({ where: { id: paymentId }, data: { finalized: true } });

  const { address: walletAddress } = await generateKeyPairSigner();
  const { merchant } = await createMerchant(ctx, { companyName: 'Other', walletAddress });
  const other = { merchantId: merchant.id, environment: 'TEST' as const };
  await expect(createRefund(ctx, other, { paymentId })).rejects.toThrow('No such payment');
  await expect(refundTransaction(ctx, other, refund.id)).rejects.toThrow('No such refund');
  await expect(cancelRefund(ctx, other, refund.id)).rejects.toThrow('No such refund');
  expect((await refundOf(refund.id)).status).toBe('PENDING');
});

it('a refund is refused beyond its payment, and beyond those watched', async () => {
  const [one, other] = await Promise.all([subscribeAndPay(), subscribeAndPay()]);
  const { db, clock } = world.ctx;
  const at = clock.now();
  const rowsOf = (paymentId: string, count: number, nextCheckAt: Date | null) =>
    Array.from({ length: count }, () => ({
      ...world.scope,
      paymentId,
      amount: 1n,
      status: 'CANCELLED' as const,
      reference: randomUUID(),
      createdAt: at,
      requestedAt: at,
      expiresAt: at,
      nextCheckAt,
    }));
  await db.refund.createMany({ data: rowsOf(one.paymentId, MAX_REFUNDS - 1, null) });
  await create(one.paymentId, { amount: '1' });
  await expect(create(one.paymentId, { amount: '1' })).rejects.toThrow('The payment has 50 refunds');
  const mayBeSent = { nextCheckAt: { not: null }, status: { not: 'SUCCEEDED' as const } };
  const watched = await db.refund.count({ where: mayBeSent });
  const later = new Date(at.getTime() + YEAR * 1_000);
  await db.refund.createMany({ data: rowsOf(one.paymentId, MAX_WATCHED - watched - 1, later) });
  const last = await create(other.paymentId, { amount: '1' });
  await expect(create(other.paymentId)).rejects.toThrow('TEST has 1000 refunds that may still be sent');
  await db.refund.deleteMany({ where: { OR: [{ paymentId: one.paymentId }, { id: last.id }] } });
});

it('a refund names the customer of the payment, not a later one of the same wallet', async () => {
  const customer = await subscribeAndPay();
  const { db, clock } = world.ctx;
  const { document } = await db.receipt.findUniqueOrThrow({ where: { paymentId: customer.paymentId } });
  const { buyer } = document as unknown as ReceiptDocument;
  const later = 'later@example.com';
  const { id: customerId } = await db.customer.create({
    data: { ...world.scope, email: later, walletAddress: customer.wallet.address, createdAt: clock.now() },
  });
  await db.subscription.updateMany({ where: { address: customer.id }, data: { customerId } });
  const refund = await create(customer.paymentId);
  await payLink(refund.solanaPayUrl);
  await untilSettled(refund.id);
  await world.quiet();
  expect(refundEvents(customer)).toMatchObject([{ customer: { email: buyer.email } }]);
  await world.until('the refund is mailed', async () => smtp.to(buyer.email ?? '').length === 1);
  expect(smtp.to(buyer.email ?? '')[0]?.text).toContain('/receipts/');
  expect(smtp.to(later)).toEqual([]);
});

it('a refund that was cancelled or has expired counts if it is sent within two weeks', async () => {
  const [first, second, third] = await Promise.all([subscribeAndPay(), subscribeAndPay(), subscribeAndPay()]);
  const [cancelled, expired] = [await create(first.paymentId), await create(second.paymentId)];
  const never = await create(third.paymentId);
  expect((await cancel(cancelled.id)).status).toBe('CANCELLED');
  const replacement = await create(first.paymentId);
  await payLink(cancelled.solanaPayUrl);
  await untilSettled(cancelled.id);
  // The payment has nothing left for the refund that replaced it.
  await expect(transactionOf(replacement.id)).rejects.toThrow('too little of it is left');

  await world.jump(8 * DAY);
  const hasStatus = (id: string, status: string) => async () => (await refundOf(id)).status === status;
  await world.until('the refund has expired', hasStatus(expired.id, 'EXPIRED'));
  await expect(transactionOf(expired.id)).rejects.toThrow('The refund is EXPIRED');
  await expect(cancel(expired.id)).rejects.toThrow('The refund is EXPIRED');
  await payLink(expired.solanaPayUrl);
  await world.blocks(40);
  await world.jump(DAY);
  await world.until('the transfer was found', hasStatus(expired.id, 'SUCCEEDED'));

  await world.jump(6 * DAY);
  await world.until('the refund is no longer watched', async () => {
    const where = { id: never.id, nextCheckAt: null };
    return (await world.ctx.db.refund.count({ where })) === 1;
  });
  expect((await refundOf(never.id)).status).toBe('EXPIRED');
});

it('a refund that was seen on chain has no link, and counts once', async () => {
  const customer = await subscribeAndPay();
  const { id, solanaPayUrl } = await create(customer.paymentId, { amount: '1500000' });
  await world.stopWorkers();
  await payLink(solanaPayUrl);
  await world.ctx.db.refund.update({ where: { id }, data: { nextCheckAt: world.ctx.clock.now() } });
  await checkRefunds(world.ctx, await chainWithoutFinality());
  expect(await refundOf(id)).toMatchObject({
    status: 'PENDING',
    solanaPayUrl: null,
    inFlight: true,
    sentSignature: expect.any(String),
  });
  await expect(transactionOf(id)).rejects.toThrow('The refund was sent');
  await world.startWorkers();
  await untilSettled(id);

  const again = () => world.webhooks(customer.id).filter(({ event }) => event === 'payment.refunded_again');
  for (const count of [1, 2]) {
    await payLink(solanaPayUrl);
    await world.blocks(40);
    await world.jump(60);
    await world.until(`further transfer ${count} is reported`, () => again().length === count);
  }
  await world.jump(300);
  await world.quiet();
  expect(again().map(({ data }) => data)).toMatchObject([
    { refundId: id, amount: '1500000', excessAmount: '1500000', paymentAmount: String(PRICE) },
    { refundId: id, amount: '1500000', excessAmount: '3000000', paymentAmount: String(PRICE) },
  ]);
  const { payment } = await world.graphql<{ payment: object }>(
    'query ($id: ID!) { payment(id: $id) { refundedAmount excessRefundedAmount refundableAmount refunds { excess { amount } } } }',
    { id: customer.paymentId },
  );
  expect(payment).toEqual({
    refundedAmount: '1500000',
    excessRefundedAmount: '3000000',
    refundableAmount: String(PRICE - 4_500_000n),
    refunds: [{ excess: [{ amount: '1500000' }, { amount: '1500000' }] }],
  });
});

/** The chain with a node that reports no transaction as finalized. */
async function chainWithoutFinality(): Promise<Chain> {
  const { config } = world.chain;
  const rpcUrl = await alteredRpc(config.rpcUrl, ({ method }, result) => {
    if (method !== 'getSignatureStatuses') return;
    const { value } = result as { value: ({ confirmationStatus: string } | null)[] };
    for (const status of value) if (status) status.confirmationStatus = 'confirmed';
  });
  return createChain('TEST', { ...config, rpcUrl });
}
