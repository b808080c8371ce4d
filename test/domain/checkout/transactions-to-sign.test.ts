import { type Address, address, generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import { readWalletAccounts } from '../../../src/chain/accounts/wallet-accounts.ts';
import { createDiscount } from '../../../src/domain/billing/discount/create-discount.ts';
import { completeCheckout } from '../../../src/domain/checkout/completion/complete-checkout.ts';
import { balanceOf } from '../../../src/domain/checkout/session/wallet-balance.ts';
import { transactionsToSign } from '../../../src/domain/checkout/signing/transactions-to-sign.ts';
import { chainOf } from '../../../src/domain/kernel/access/chain-of.ts';
import { BillingError } from '../../../src/errors.ts';
import { aroundCalls } from '../../scenarios/around-calls.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { invalid, PRICE, refusal, startWorld } from '../world.ts';

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);

let serial = 0;
const openSession = () => world.openSession(merchant, plan, { customerId: `customer-${++serial}` });
const requestTransactions = (sessionId: string, userWallet: Address) =>
  transactionsToSign(world.ctx, sessionId, { userWallet });

const readSession = (id: string) => world.db.checkoutSession.findUniqueOrThrow({ where: { id } });

/** A context that notes the calls of the node. */
function noteCalls() {
  const calls: string[] = [];
  const chain = aroundCalls(world.chain, (method, send) => {
    calls.push(method);
    return send();
  });
  return { calls, ctx: { ...world.ctx, chain: { TEST: chain } } };
}

describe('the transactions to sign', () => {
  it('need three calls of the node', async () => {
    const sessionId = await openSession();
    const { address: userWallet } = await world.newWallet(PRICE);
    // The rents are read once.
    await requestTransactions(sessionId, userWallet);
    const { calls, ctx } = noteCalls();
    await transactionsToSign(ctx, sessionId, { userWallet });
    expect(calls).toEqual(['getMultipleAccounts', 'getLatestBlockhash', 'simulateTransaction']);
  });

  it('are refused without a call of the node if the discount is used up', async () => {
    const { id: discountId } = await createDiscount(world.ctx, merchant.scope, {
      name: 'For one',
      percentBps: 5_000,
      maxRedemptions: 1,
    });
    const open = () => world.openSession(merchant, plan, { customerId: `customer-${++serial}`, discountId });
    const [first, late] = [await open(), await open()];
    const { address: userWallet } = await world.newWallet(PRICE);
    await requestTransactions(first, userWallet);
    const { calls, ctx } = noteCalls();
    expect(await refusal(transactionsToSign(ctx, late, { userWallet }))).toEqual(invalid('code'));
    expect(calls).toEqual([]);
    // The session that holds the redemption gets them again.
    await transactionsToSign(ctx, first, { userWallet });
    expect(calls).toHaveLength(3);
  });

  it('come with the balance, and whether it covers three payments', async () => {
    const sessionId = await openSession();
    const rich = await world.newWallet(3n * PRICE);
    expect(await requestTransactions(sessionId, rich.address)).toMatchObject({
      transactions: [expect.any(String)],
      more: false,
      balance: { amount: 3n * PRICE, recommended: 3n * PRICE, sufficient: true },
    });
    const poor = await world.newWallet(3n * PRICE - 1n);
    expect((await requestTransactions(sessionId, poor.address)).balance).toMatchObject({ sufficient: false });
    const { address: wallet } = await world.newMerchant().then((other) => other.wallet);
    expect((await requestTransactions(sessionId, wallet)).balance).toMatchObject({
      amount: 0n,
      sufficient: false,
    });
    const { address: empty } = await generateKeyPairSigner();
    const accounts = await readWalletAccounts(world.chain, {
      subscriber: empty,
      mint: address(plan.mint),
      tokenProgram: address(plan.tokenProgram),
      plan: address(plan.address),
    });
    expect(balanceOf(empty, accounts, plan)).toEqual({
      amount: 0n,
      recommended: 3n * PRICE,
      sufficient: false,
      lamports: 0n,
    });
  });

  it.each([
    ['the system program', () => '11111111111111111111111111111111'],
    ['the token program', () => 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['Token-2022', () => 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'],
    ['the associated token program', () => 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'],
    ['the memo program', () => 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'],
    ['the subscriptions program', () => PROGRAM],
    ['the compute budget program', () => 'ComputeBudget111111111111111111111111111111'],
    ['a sysvar', () => 'SysvarC1ock11111111111111111111111111111111'],
    ['the incinerator', () => '1nc1nerator11111111111111111111111111111111'],
    ['the plan itself', () => plan.address],
    ['the mint', () => plan.mint],
    ['the merchant', () => merchant.wallet.address],
    ['the collector', () => chainOf(world.ctx, 'TEST').collector.address],
  ])('are created, or refused with a message, for the address of %s', async (_, addressOf) => {
    const sessionId = await openSession();
    const wallet = addressOf() as Address;
    const error = await requestTransactions(sessionId, wallet).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error === undefined) return;
    expect(error).toBeInstanceOf(BillingError);
    expect(error).toMatchObject(invalid('userWallet'));
  });

  it('of any wallet that requested them complete the session', async () => {
    const sessionId = await openSession();
    const [first, second] = [await world.newWallet(), await world.newWallet()];
    const { transactions, subscriptionPda } = await requestTransactions(sessionId, first.address);
    await requestTransactions(sessionId, second.address);
    expect(await readSession(sessionId)).toMatchObject({ walletAddress: second.address, status: 'OPEN' });
    // The phone that signs does not report the transaction, so only the indexer sees it.
    await world.sign(first, transactions[0] ?? '');
    await world.mirror(subscriptionPda);
    expect(await readSession(sessionId)).toMatchObject({ walletAddress: first.address, status: 'COMPLETED' });
  });

  it('record the last eight wallets that requested transactions, each once', async () => {
    const sessionId = await openSession();
    const wallets = await Promise.all(Array.from({ length: 9 }, () => world.newWallet()));
    for (const { address } of wallets) await requestTransactions(sessionId, address);
    const addresses = wallets.map(({ address }) => address);
    const third = addresses[2];
    const last = addresses[8];
    const earlier = addresses.slice(1, 8).toReversed();
    expect(await readSession(sessionId)).toMatchObject({ walletAddress: last, earlierWallets: earlier });
    await requestTransactions(sessionId, third as Address);
    await requestTransactions(sessionId, third as Address);
    expect(await readSession(sessionId)).toMatchObject({
      walletAddress: third,
      earlierWallets: [last, ...earlier.filter((wallet) => wallet !== third)],
    });
  });

  it('are refused for a wallet that is invalid, has no SOL, or is already subscribed', async () => {
    const sessionId = await openSession();
    expect(await refusal(requestTransactions(sessionId, 'wallet' as Address))).toEqual(invalid('userWallet'));
    const { address: empty } = await generateKeyPairSigner();
    expect(await refusal(requestTransactions(sessionId, empty))).toEqual(invalid('userWallet'));
    const multisig = await world.newWallet();
    world.writeAccount(multisig.address, {
      lamports: 10_000_000n,
      owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
      data: new Uint8Array(355),
    });
    expect(await refusal(requestTransactions(sessionId, multisig.address))).toEqual(invalid('userWallet'));
    const subscribed = await world.newWallet();
    await world.subscribe(merchant, plan, subscribed);
    expect(await refusal(requestTransactions(sessionId, subscribed.address))).toEqual(invalid('userWallet'));
    // Only the wallet without SOL is remembered, because the page shows a code that tops it up.
    expect(
      (await world.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId } })).walletAddress,
    ).toBe(empty);
  });

  it('are refused if the session is unknown, completed or expired', async () => {
    const wallet = await world.newWallet();
    expect(await refusal(requestTransactions('cs_unknown', wallet.address))).toEqual({
      code: 'not_found',
      param: 'sessionId',
    });
    const completed = await openSession();
    await completeCheckout(world.ctx, completed, await world.approve(completed, plan, wallet));
    expect(await refusal(requestTransactions(completed, wallet.address))).toEqual(invalid('sessionId'));
    const expired = await openSession();
    await world.travel(30 * 60);
    expect(await refusal(requestTransactions(expired, wallet.address))).toEqual({
      code: 'session_expired',
      param: 'sessionId',
    });
  });

  it('are refused if the plan was closed after the session was opened', async () => {
    const closing = await world.publishPlan(merchant, { planId: 'closing' });
    const sessionId = await world.openSession(merchant, closing);
    const wallet = await world.newWallet();
    await world.db.plan.update({ where: { id: closing.id }, data: { status: 'INACTIVE' } });
    expect(await refusal(requestTransactions(sessionId, wallet.address))).toEqual({
      code: 'plan_inactive',
      param: undefined,
    });
  });
});
