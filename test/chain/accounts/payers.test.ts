import { getCloseSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { canPay, type Purse } from '../../../src/chain/accounts/can-pay.ts';
import { type Payer, readPayers } from '../../../src/chain/accounts/payers.ts';
import { repairToSign } from '../../../tools/world/transactions-to-sign.ts';
import { createWorld, PRICE, START_BALANCE, USDC } from '../world.ts';

test('many payers are read in one call, in the order of their pulls', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const balances = Array.from({ length: 40 }, (_, index) => BigInt(index) * 1_000_000n);
  const customers = await Promise.all(balances.map((balance) => world.newCustomer(plan, balance)));
  const payers = await readPayers(world.chain, await world.pullsOf(plan, ...customers));
  expect(payers.map(({ tokenAccount }) => tokenAccount?.amount)).toEqual(balances);
  expect(payers.map(({ subscription }) => subscription?.subscriber)).toEqual(
    customers.map(({ wallet }) => wallet.address),
  );
  expect(payers.map((payer) => canPay(payer, PRICE).ok)).toEqual(balances.map((balance) => balance >= PRICE));
  expect(await readPayers(world.chain, [])).toEqual([]);
});

test('an authority that was closed, or closed and created again, pays nothing', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const customer = await world.newCustomer(plan);
  const pulls = await world.pullsOf(plan, customer);
  const readAbility = async () => {
    const [payer] = await readPayers(world.chain, pulls);
    return payer && canPay(payer, PRICE);
  };
  expect(await readAbility()).toEqual({ ok: true });
  const revoked = { ok: false, failure: 'APPROVAL_REVOKED', balanceAvailable: START_BALANCE };
  const [pull] = pulls;
  if (!pull) throw new Error('No pull');
  await world.landInstructions(customer.wallet, [
    getCloseSubscriptionAuthorityInstruction({
      user: customer.wallet,
      subscriptionAuthority: pull.authority,
    }),
  ]);
  expect(await readAbility()).toEqual(revoked);
  const repair = await repairToSign(world.chain, {
    subscriber: customer.wallet.address,
    mint: USDC,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  await world.signAndLand(repair, customer.wallet);
  expect(await readAbility()).toEqual(revoked);
});

test('lamports sent to a closed account do not open it', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const customer = await world.newCustomer(plan);
  const [pull] = await world.pullsOf(plan, customer);
  if (!pull) throw new Error('No pull');
  for (const address of [pull.payerTokenAccount, pull.authority, pull.subscription]) {
    const owner = '11111111111111111111111111111111';
    await world.cheat('surfnet_setAccount', [address, { lamports: 1_000_000, data: '', owner }]);
  }
  expect(await readPayers(world.chain, [pull])).toEqual([
    { tokenAccount: null, authority: null, subscription: null, unreadable: null },
  ]);
});

test('a delegate other than the payer’s own authority pays nothing', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const [customer, other] = [await world.newCustomer(plan), await world.newCustomer(plan)];
  const [pull, otherPull] = await world.pullsOf(plan, customer, other);
  if (!pull || !otherPull) throw new Error('No pulls');
  for (const delegate of [
    world.merchant.address,
    otherPull.authority,
    otherPull.subscription,
    plan.address,
  ]) {
    await world.setTokens(customer.wallet.address, { delegate });
    const [payer] = await readPayers(world.chain, [pull]);
    expect(payer && canPay(payer, PRICE)).toMatchObject({ ok: false, failure: 'APPROVAL_REVOKED' });
  }
});

describe('payers of 5', () => {
  const tokenAccount = {
    mint: USDC,
    owner: USDC,
    amount: 5n,
    delegate: USDC,
    delegatedAmount: 5n,
    frozen: false,
    closeAuthority: null,
  };
  const authority = { user: USDC, mint: USDC, initId: 7n };
  const subscription = { initId: 7n } as NonNullable<Payer['subscription']>;
  const able: Payer = { tokenAccount, authority, subscription, unreadable: null };
  const failed = (failure: string, balanceAvailable = 5n) => ({ ok: false, failure, balanceAvailable });
  const account = (changes: Partial<typeof tokenAccount>) => ({
    tokenAccount: { ...tokenAccount, ...changes },
  });

  test.each<[string, Partial<Payer & { left: Purse }>, unknown]>([
    ['with exactly that balance', {}, { ok: true }],
    ['with a smaller balance', account({ amount: 4n }), failed('INSUFFICIENT_FUNDS', 4n)],
    ['without an account', { tokenAccount: null }, failed('ACCOUNT_CLOSED', 0n)],
    ['whose account is frozen', account({ frozen: true }), failed('ACCOUNT_FROZEN')],
    ['whose approval is for less', account({ delegatedAmount: 4n }), failed('APPROVAL_REVOKED')],
    ['whose authority is closed, or not the delegate', { authority: null }, failed('APPROVAL_REVOKED')],
    [
      'whose authority was created again',
      { authority: { ...authority, initId: 8n } },
      failed('APPROVAL_REVOKED'),
    ],
    ['whose subscription is closed', { subscription: null }, { ok: true }],
    ['whose other payments leave enough', { left: { amount: 5n, delegatedAmount: 5n } }, { ok: true }],
    [
      'whose other payments leave less',
      { left: { amount: 4n, delegatedAmount: 5n } },
      failed('INSUFFICIENT_FUNDS', 4n),
    ],
    [
      'whose account is frozen and empty: frozen is reported',
      account({ frozen: true, amount: 0n }),
      failed('ACCOUNT_FROZEN', 0n),
    ],
  ])('%s', (_, { left, ...changes }, expected) => {
    expect(canPay({ ...able, ...changes }, 5n, left)).toEqual(expected);
  });
});
