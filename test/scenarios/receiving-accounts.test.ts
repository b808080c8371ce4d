import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { decodeTokenAccount } from '../../src/chain/accounts/accounts.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { receivingAddresses } from '../../src/chain/accounts/receiving-accounts.ts';
import { sendWire } from '../../src/chain/rpc/send.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { auditBooks, isSound } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { untilEverybodyPaid } from './everybody-paid.ts';
import { DAY, PRICE, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());
const planId = await world.plan();
const customers = await Promise.all(Array.from({ length: 40 }, () => world.subscriber(planId)));
const { merchantWallet: wallet } = world;
const ASSET = { owner: wallet.address, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };
const [first, second, third, fourth] = (await receivingAddresses(ASSET, 4)) as [
  Address,
  Address,
  Address,
  Address,
];
await world.quiet();
let paid = 1;

/** The next period has begun, and only the test collects. */
beforeEach(async () => {
  await world.quiet();
  await world.stopWorkers();
  await world.jump(DAY);
  await world.stopIndexer();
  world.logged.length = 0;
});

interface Shown {
  readonly count: number;
  readonly accounts: readonly {
    readonly address: string;
    readonly state: string;
    readonly isUsed: boolean;
    readonly balance: string;
  }[];
}
const FIELDS = 'count accounts { number address state isUsed balance }';

async function shown(): Promise<Shown> {
  const { receivingAccounts } = await world.graphql<{ receivingAccounts: Shown[] }>(
    `query ($mint: String) { receivingAccounts(mint: $mint) { ${FIELDS} } }`,
    { mint: USDC_MINT },
  );
  return receivingAccounts[0] as Shown;
}
const statesOf = ({ accounts }: Shown) => accounts.map(({ state, isUsed }) => [state, isUsed]);

async function setCount(count: number): Promise<Shown> {
  const { setReceivingAccounts } = await world.graphql<{ setReceivingAccounts: Shown }>(
    `mutation ($mint: String!, $count: Int!) { setReceivingAccounts(mint: $mint, count: $count) { ${FIELDS} } }`,
    { mint: USDC_MINT, count },
  );
  return setReceivingAccounts;
}

/** Signs the transaction of a mutation with the merchant's wallet. */
async function signed(mutation: string): Promise<void> {
  const answer = await world.graphql<Record<string, { transaction: string }>>(
    `mutation ($mint: String!) { ${mutation}(mint: $mint) { transaction } }`,
    { mint: USDC_MINT },
  );
  await world.sign(wallet, answer[mutation]?.transaction ?? '');
}

async function balances(): Promise<bigint[]> {
  const accounts = await readAccounts(world.chain, [first, second, third, fourth], 'fields');
  return accounts.map((account) =>
    account?.owner === TOKEN_PROGRAM_ADDRESS ? decodeTokenAccount(account.data).amount : 0n,
  );
}

/** Sets the state of a token account. Resolves when it is confirmed. */
async function setState(account: Address, state: number): Promise<void> {
  const [read] = await readAccounts(world.chain, [account], 'fields');
  const data = Uint8Array.from(read?.data ?? []);
  data[STATE_AT] = state;
  await world.rpc('surfnet_setAccount', [account, { data: Buffer.from(data).toString('hex') }]);
  await world.until('it is confirmed', async () => {
    const [now] = await readAccounts(world.chain, [account], 'fields');
    return now?.data[STATE_AT] === state;
  });
}
const STATE_AT = 108;
const INITIALIZED = 1;
const FROZEN = 2;

/** Collects the due payments of everybody. Returns how much each account has received. */
async function received(): Promise<bigint[]> {
  const before = await balances();
  await collectDue(world.ctx, 'TEST');
  paid += 1;
  for (const books of await untilEverybodyPaid(world, customers, paid)) {
    expect(books.map(({ status, collectedByUs }) => [status, collectedByUs])).toEqual(
      Array(paid).fill(['SUCCEEDED', true]),
    );
  }
  const after = await balances();
  return after.map((balance, index) => (balance - (before[index] ?? 0n)) / PRICE);
}

async function expectSound(): Promise<void> {
  await world.until('all payments are final', async () => {
    await finalizePayments(world.ctx, 'TEST');
    return (await world.ctx.db.payment.count({ where: { status: 'SUCCEEDED', finalized: false } })) === 0;
  });
  for await (const audit of auditBooks(world.ctx, {})) {
    expect(audit.booked).toBe(BigInt(customers.length * paid) * PRICE);
    expect(audit.chargedOnChain).toBe(audit.booked);
    expect(isSound(audit)).toBe(true);
  }
}

const sorted = (numbers: readonly bigint[]) => [...numbers].sort((a, b) => Number(b - a));

describe('a merchant with several receiving accounts', () => {
  it('uses none that does not exist', async () => {
    expect(statesOf(await shown())).toEqual([['READY', true]]);
    const chosen = await setCount(3);
    expect(chosen.accounts.map(({ address }) => address)).toEqual([first, second, third]);
    expect(statesOf(chosen)).toEqual([
      ['READY', true],
      ['MISSING', false],
      ['MISSING', false],
    ]);
    expect(await received()).toEqual([40n, 0n, 0n, 0n]);
  });

  it('creates them with one signature, also where somebody has sent SOL', async () => {
    world.fund(third, 1_000_000n);
    await signed('receivingAccountsTransaction');
    expect(statesOf(await shown())).toEqual(Array(3).fill(['READY', true]));
    const [account] = await readAccounts(world.chain, [third], 'fields');
    expect(account?.data).toHaveLength(165);
    await expect(signed('receivingAccountsTransaction')).rejects.toThrow('All accounts of the token exist');
    // 40 payments fill three transactions, one for each account, at the fees of one account.
    const before = await balances();
    await collectDue(world.ctx, 'TEST');
    const open = await world.ctx.db.transferTransaction.findMany({
      where: { status: 'SUBMITTED' },
      include: { attempts: true },
    });
    expect(open.map(({ attempts }) => attempts.length).sort()).toEqual([19, 19, 2].sort());
    expect(sorted(await received())).not.toEqual([40n, 0n, 0n, 0n]);
    const total = (await balances()).map((balance, index) => (balance - (before[index] ?? 0n)) / PRICE);
    expect(sorted(total)).toEqual([19n, 19n, 2n, 0n]);
  });

  it('sees all money in statements, receipts and events, wherever it is', async () => {
    expect(sorted(await received())).toEqual([19n, 19n, 2n, 0n]);
    await expectSound();
    const { accounts } = await shown();
    const sum = accounts.reduce((total, { balance }) => total + BigInt(balance), 0n);
    expect(sum).toBe(BigInt(customers.length * paid) * PRICE);
    for (const { id } of customers) {
      expect(world.receivedEvents(id).filter((type) => type === 'payment_succeeded')).toHaveLength(paid);
    }
    const receipts = await world.ctx.db.receipt.count();
    expect(receipts).toBe(customers.length * paid);
  });

  it('gets nothing into an account that is frozen, with a delegate or given away', async () => {
    await setState(second, FROZEN);
    expect(statesOf(await shown())[1]).toEqual(['FROZEN', false]);
    expect(sorted(await received())).toEqual([21n, 19n, 0n, 0n]);
    await setState(second, INITIALIZED);
    await world.jump(DAY);
    await world.stopWorkers();

    const stranger = await generateKeyPairSigner();
    world.fund(stranger.address);
    const give = (owned: Address, authorityType: AuthorityType, owner: KeyPairSigner, to: Address) =>
      getSetAuthorityInstruction({ owned, owner, authorityType, newAuthority: to });
    await world.land(wallet, [
      getApproveInstruction({ source: second, delegate: stranger.address, owner: wallet, amount: 1n }),
      give(third, AuthorityType.AccountOwner, wallet, stranger.address),
    ]);
    const { accounts } = await shown();
    expect(accounts[1]).toMatchObject({ state: 'HAS_DELEGATE', isUsed: false });
    expect(BigInt(accounts[1]?.balance ?? 0)).toBeGreaterThan(0n);
    expect(accounts[2]).toMatchObject({ state: 'OTHER_OWNER', isUsed: false, balance: '0' });
    expect(await received()).toEqual([40n, 0n, 0n, 0n]);
    await world.land(wallet, [getRevokeInstruction({ source: second, owner: wallet })]);
    // The associated account, too: the program would refuse the payment.
    await world.jump(DAY);
    await world.stopWorkers();
    await world.land(wallet, [give(first, AuthorityType.AccountOwner, wallet, stranger.address)]);
    expect((await shown()).accounts[0]).toMatchObject({ state: 'OTHER_OWNER', isUsed: false, balance: '0' });
    expect(await received()).toEqual([0n, 40n, 0n, 0n]);
    await world.land(stranger, [
      give(first, AuthorityType.AccountOwner, stranger, wallet.address),
      give(third, AuthorityType.AccountOwner, stranger, wallet.address),
    ]);
    expect(statesOf(await shown())).toEqual(Array(3).fill(['READY', true]));
  });

  it('is paid into the others while the associated account is frozen', async () => {
    await setState(first, FROZEN);
    const [intoFirst, ...others] = await received();
    expect(intoFirst).toBe(0n);
    expect(sorted(others)).toEqual([21n, 19n, 0n]);
    await world.jump(DAY);
    await world.stopWorkers();

    await setState(second, FROZEN);
    await setState(third, FROZEN);
    await collectDue(world.ctx, 'TEST');
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })).toBe(0);
    const { plans } = await world.graphql<{ plans: object }>(
      '{ plans(first: 1) { edges { node { problem } } } }',
    );
    expect(plans).toEqual({ edges: [{ node: { problem: 'RECEIVER_FROZEN' } }] });
    for (const account of [first, second, third]) await setState(account, INITIALIZED);
    await world.jump(601);
    expect(sorted(await received())).toEqual([19n, 19n, 2n, 0n]);
    for (const customer of customers) {
      expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    }
  });

  it('is paid once if an account is closed while its transaction is on its way', async () => {
    world.setFaults({ dropTransactions: 1_000_000 });
    await collectDue(world.ctx, 'TEST');
    const lost = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
    expect(lost).toHaveLength(3);
    world.setFaults({ dropTransactions: 0 });
    await signed('sweepReceivingAccountsTransaction');
    expect((await balances()).slice(1)).toEqual([0n, 0n, 0n]);
    await world.land(wallet, [
      getCloseAccountInstruction({ account: third, destination: wallet.address, owner: wallet }),
    ]);
    expect(statesOf(await shown())[2]).toEqual(['MISSING', false]);
    const before = await balances();
    // Those that can still land do; the one into the closed account fails, and is sent to another one.
    for (const { wire } of lost) await sendWire(world.chain, wire).catch(() => undefined);
    await world.until('the chain has answered', async () => {
      await followTransactions(world.ctx, 'TEST');
      return (await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) === 0;
    });
    await world.jump(61);
    await received();
    const after = await balances();
    expect(after[2]).toBe(0n);
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    expect(sum(after) - sum(before)).toBe(40n * PRICE);
    for (const { wire } of lost) await sendWire(world.chain, wire).catch(() => undefined);
    await world.blocks(3);
    expect(await balances()).toEqual(after);
    await expectSound();
  });

  it('is paid into one account again, and keeps the tokens in the others', async () => {
    const before = await balances();
    expect(before[1]).toBeGreaterThan(0n);
    expect(statesOf(await setCount(1))).toEqual([
      ['READY', true],
      ['READY', false],
    ]);
    expect(await received()).toEqual([40n, 0n, 0n, 0n]);
    expect((await balances())[1]).toBe(before[1]);
  });
});

it('a refund is paid from the account that has enough', async () => {
  const [customer] = customers;
  const books = await world.books(customer?.id ?? '');
  const refundOf = async (payment: number) => {
    const paymentId = books[payment]?.id ?? '';
    return world.backend.createRefund({ paymentId });
  };
  await world.startWorkers();
  await world.startIndexer();
  await expectSound();
  const [one, two, three] = [await refundOf(0), await refundOf(1), await refundOf(2)];
  const sendAll = async (to: readonly (readonly [Address, bigint])[]) => {
    await signed('sweepReceivingAccountsTransaction').catch(() => undefined);
    const [all = 0n] = await balances();
    const away = await generateKeyPairSigner();
    world.fund(away.address);
    await world.rpc('surfnet_setTokenAccount', [away.address, USDC_MINT, { amount: '0' }]);
    const [awayAccount = first] = await receivingAddresses({ ...ASSET, owner: away.address }, 1);
    const left = to.reduce((sum, [, amount]) => sum + amount, 0n);
    const send = (destination: Address, amount: bigint) =>
      getTransferInstruction({ source: first, destination, authority: wallet, amount });
    const own = to.filter(([account]) => account !== first);
    await world.land(wallet, [
      send(awayAccount, all - left),
      ...own.map(([account, amount]) => send(account, amount)),
    ]);
  };
  await setCount(3);
  await signed('receivingAccountsTransaction');
  await sendAll([
    [first, PRICE - 1n],
    [second, PRICE + 5n],
    [third, PRICE],
  ]);
  await world.sign(wallet, await world.backend.refundTransaction(one.id));
  const settled = async (id: string) => (await world.backend.refund(id)).status === 'SUCCEEDED';
  await world.until('the first refund is settled', () => settled(one.id));
  expect((await balances()).slice(0, 3)).toEqual([PRICE - 1n, 5n, PRICE]);

  await sendAll([
    [first, PRICE - 1n],
    [second, 1n],
    [third, 0n],
  ]);
  await expect(world.backend.refundTransaction(two.id)).rejects.toThrow('sweepReceivingAccountsTransaction');
  await signed('sweepReceivingAccountsTransaction');
  await world.sign(wallet, await world.backend.refundTransaction(two.id));
  await world.until('the second refund is settled', () => settled(two.id));
  expect((await balances()).slice(0, 3)).toEqual([0n, 0n, 0n]);
  await expect(world.backend.refundTransaction(three.id)).rejects.toThrow('too little of the token');
  await expect(signed('sweepReceivingAccountsTransaction')).rejects.toThrow('nothing to move');
});
