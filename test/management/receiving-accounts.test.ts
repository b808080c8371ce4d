import { generateKeyPairSigner } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { receivingAddresses } from '../../src/chain/accounts/receiving-accounts.ts';
import {
  CREATE_RECEIVING_ACCOUNTS,
  RECEIVING_ACCOUNTS,
  SET_RECEIVING_ACCOUNTS,
  SWEEP_RECEIVING_ACCOUNTS,
} from '../api/receiving-documents.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const [merchant, stranger] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];
await world.publishPlan(merchant);

const MINT = USDC_MINT as string;
const list = async (key = merchant.testKey, mint?: string) =>
  (await world.query(key, RECEIVING_ACCOUNTS, { mint })).receivingAccounts;
const set = async (count: number, mint = MINT, key = merchant.testKey) =>
  (await world.query(key, SET_RECEIVING_ACCOUNTS, { mint, count })).setReceivingAccounts;
const createTransaction = async (mint = MINT, key = merchant.testKey) =>
  (await world.query(key, CREATE_RECEIVING_ACCOUNTS, { mint })).receivingAccountsTransaction.transaction;
const sweepTransaction = async (mint = MINT, key = merchant.testKey) =>
  (await world.query(key, SWEEP_RECEIVING_ACCOUNTS, { mint })).sweepReceivingAccountsTransaction.transaction;
const allAddresses = (owner: typeof merchant.wallet.address) =>
  receivingAddresses({ owner, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS }, 8);

it('one account is used by default, which is the associated one', async () => {
  const [address] = await allAddresses(merchant.wallet.address);
  expect(await list()).toEqual([
    {
      asset: { mint: MINT },
      count: 1,
      accounts: [{ number: 1, address, state: 'READY', isUsed: true, balance: '0' }],
    },
  ]);
  expect(await list(stranger.testKey)).toEqual([]);
  expect(await list(merchant.liveKey)).toEqual([]);
});

it.each([0, -1, 9, 2 ** 31 - 1])('the number %i is refused, and nothing is set', async (count) => {
  expect(await graphqlError(set(count))).toMatchObject({
    code: 'invalid_request',
    param: 'count',
    message: 'count must be a whole number from 1 to 8.',
  });
  expect(await list()).toMatchObject([{ count: 1 }]);
});

it('a token without a plan is refused, and the error names those of the plans', async () => {
  const other = (await generateKeyPairSigner()).address;
  const calls = [() => list(merchant.testKey, other), () => set(2, other), () => createTransaction(other)];
  for (const call of [...calls, () => sweepTransaction(other)]) {
    expect(await graphqlError(call())).toMatchObject({
      code: 'invalid_request',
      param: 'mint',
      message: `mint must be the token of one of your plans: ${MINT}.`,
    });
  }
  const withoutPlans = [() => set(2, MINT, stranger.testKey), () => set(2, MINT, merchant.liveKey)];
  for (const call of [...withoutPlans, () => createTransaction(MINT, stranger.testKey)]) {
    expect(await graphqlError(call())).toMatchObject({
      param: 'mint',
      message: 'mint must be the token of one of your plans, and you have no plan yet.',
    });
  }
});

it('eight accounts take two signatures, and none of them is another merchant’s', async () => {
  expect(await graphqlError(createTransaction())).toMatchObject({
    code: 'invalid_request',
    param: 'mint',
    message:
      'All accounts of the token exist: you use 1. Set a higher number with setReceivingAccounts first.',
  });
  const chosen = await set(8);
  expect(chosen.accounts.map(({ state }) => state)).toEqual(['READY', ...Array(7).fill('MISSING')]);
  const transaction = await createTransaction();
  // A transaction names its signers, so only the merchant's wallet can use it.
  await expect(world.sign(stranger.wallet, transaction)).rejects.toThrow();
  await world.sign(merchant.wallet, transaction);
  const states = async () => (await list())[0]?.accounts.map(({ state }) => state);
  expect(await states()).toEqual([...Array(5).fill('READY'), ...Array(3).fill('MISSING')]);
  await world.sign(merchant.wallet, await createTransaction());
  expect(await states()).toEqual(Array(8).fill('READY'));
  const [listed] = await list();
  expect(listed?.accounts.map(({ address }) => address)).toEqual(await allAddresses(merchant.wallet.address));

  await world.publishPlan(stranger);
  const [other] = await list(stranger.testKey);
  expect(other).toMatchObject({ count: 1, accounts: [{ number: 1 }] });
  const shared = other?.accounts.filter(({ address }) =>
    listed?.accounts.some((account) => account.address === address),
  );
  expect(shared).toEqual([]);
});

it('accounts beyond the number are listed while they exist, and not used', async () => {
  await set(3);
  const [listed] = await list();
  expect(listed?.accounts.map(({ isUsed }) => isUsed)).toEqual([
    ...Array(3).fill(true),
    ...Array(5).fill(false),
  ]);
});

it('a wallet without SOL is told how much it needs', async () => {
  const poor = await world.newKeyedMerchant();
  await world.publishPlan(poor);
  await set(4, MINT, poor.testKey);
  world.network.setAccount(poor.wallet.address, {
    lamports: 1_000_000n,
    data: new Uint8Array(),
    owner: '11111111111111111111111111111111' as typeof poor.wallet.address,
    executable: false,
  });
  world.network.tick();
  const refused = await graphqlError(createTransaction(MINT, poor.testKey));
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'mint' });
  expect(refused.message).toMatch(/too little SOL .* it needs \d{7} lamports\.$/);
});

it('nothing to move is an error', async () => {
  expect(await graphqlError(sweepTransaction())).toMatchObject({
    code: 'invalid_request',
    param: 'mint',
    message: 'The other receiving accounts of the token have nothing to move.',
  });
});

it('a network that is behind is named, and the number is kept', async () => {
  const slot = (await world.chain.rpc.getSlot().send()) + 1_000_000n;
  await world.db.streamPosition.create({ data: { environment: 'TEST', slot, updatedAt: new Date() } });
  expect(await graphqlError(list())).toMatchObject({
    code: 'invalid_request',
    param: 'mint',
    message: 'The network cannot be read yet: try again in a moment.',
  });
  await world.db.streamPosition.delete({ where: { environment: 'TEST' } });
  expect(await list()).toMatchObject([{ count: 3 }]);
});
