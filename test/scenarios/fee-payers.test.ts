import { type Address, createKeyPairSignerFromBytes } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import type { AppContext } from '../../src/app.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { sendWire } from '../../src/chain/rpc/send.ts';
import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { readCollectors, readFeePayers } from '../../src/domain/chain-state/collector/read-collectors.ts';
import { watchCollectors } from '../../src/domain/chain-state/collector/watch-collectors.ts';
import { Gauges } from '../../src/operations/gauges.ts';
import { checkReadiness } from '../../src/operations/health.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { untilEverybodyPaid } from './everybody-paid.ts';
import { suspendAt } from './suspend-at.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const PAID_BY_COLLECTOR = 5_000n;
const PAID_BY_FEE_PAYER = 10_000n;
/** At the minimum price, 200,000 compute units cost 200 lamports; the official program uses more. */
const PRIORITY_FEE = 400n;
const ONE_SOL = 1_000_000_000n;

const world = await sharedByFile(startWorld());
const planId = await world.plan();
const customers = await Promise.all(Array.from({ length: 20 }, () => world.subscriber(planId)));
const keys = [await newKeyPairBytes(), await newKeyPairBytes()] as const;
const [firstPayer, secondPayer] = (await Promise.all(
  keys.map(async (key) => (await createKeyPairSignerFromBytes(key)).address),
)) as [Address, Address];
const collector = world.chain.collector.address;
await world.quiet();
let paid = 1;

/** A context with both fee payers, which pay at any rate unless the settings say otherwise. */
async function withFeePayers(settings: Partial<ClusterConfig> = {}): Promise<AppContext> {
  const config = { ...world.chain.config, feePayerKeys: keys, feePayersFromInFlight: 0, ...settings };
  return { ...world.ctx, chain: { TEST: await createChain('TEST', config) } };
}

/** The next period has begun, both fee payers have SOL, and only the test collects. */
beforeEach(async () => {
  await world.quiet();
  await world.stopWorkers();
  await fund(firstPayer, ONE_SOL);
  await fund(secondPayer, ONE_SOL);
  await world.jump(DAY);
  await world.stopIndexer();
  world.logged.length = 0;
});

const lamportsOf = async (account: Address) =>
  BigInt((await world.rpc<{ value: number }>('getBalance', [account, { commitment: 'confirmed' }])).value);

/** Sets a balance, and waits until it is confirmed. */
async function fund(account: Address, lamports: bigint): Promise<void> {
  world.fund(account, lamports);
  await world.until('the balance is confirmed', async () => (await lamportsOf(account)) === lamports);
}

/** Lets processes without fee payers, as those of release 0.2.0 are, finish what has begun. */
async function everybodyPays(): Promise<void> {
  paid += 1;
  for (const books of await untilEverybodyPaid(world, customers, paid)) {
    expect(books.map(({ status, collectedByUs }) => [status, collectedByUs])).toEqual(
      Array(paid).fill(['SUCCEEDED', true]),
    );
  }
}

/** The transactions in flight, those with the most payments first. */
async function inFlight() {
  const open = await world.ctx.db.transferTransaction.findMany({
    where: { status: 'SUBMITTED' },
    include: { attempts: true },
  });
  return open
    .map(({ id, wire, signature, collector: paidBy, attempts }) => ({
      id,
      wire,
      signature,
      paidBy,
      payments: attempts.length,
    }))
    .sort((a, b) => b.payments - a.payments);
}

const sizesOf = (transactions: readonly { readonly payments: number }[]) =>
  transactions.map(({ payments }) => payments);
const payersOf = (transactions: readonly { readonly paidBy: string | null }[]) =>
  new Set(transactions.map(({ paidBy }) => paidBy));

const settledOf = (transactions: readonly { readonly id: string }[]) =>
  world.ctx.db.transferTransaction.findMany({ where: { id: { in: transactions.map(({ id }) => id) } } });

describe('at a rate above the threshold', () => {
  it('fee payers pay in turn, and the collector pulls', async () => {
    const before = await Promise.all([firstPayer, secondPayer, collector].map(lamportsOf));
    await collectDue(await withFeePayers(), 'TEST');
    const sent = await inFlight();
    expect(sizesOf(sent)).toEqual([18, 2]);
    expect(payersOf(sent)).toEqual(new Set([firstPayer, secondPayer]));
    await everybodyPays();
    const settled = await settledOf(sent);
    const after = await Promise.all([firstPayer, secondPayer, collector].map(lamportsOf));
    for (const [index, payer] of [firstPayer, secondPayer].entries()) {
      const fee = settled.find((transaction) => transaction.collector === payer)?.feeLamports ?? 0n;
      expect(fee).toBeGreaterThan(PAID_BY_FEE_PAYER);
      expect(fee).toBeLessThanOrEqual(PAID_BY_FEE_PAYER + PRIORITY_FEE);
      expect((before[index] ?? 0n) - (after[index] ?? 0n)).toBe(fee);
    }
    expect(after[2]).toBe(before[2]);
    const transfers = await world.ctx.db.chainTransfer.findMany({
      where: { signature: { in: sent.map(({ signature }) => signature) } },
    });
    expect(transfers).toHaveLength(20);
    expect(new Set(transfers.map(({ puller }) => puller))).toEqual(new Set([collector]));
  });

  it('several workers with the same fee payers collect each payment once', async () => {
    const contexts = await Promise.all([withFeePayers(), withFeePayers(), withFeePayers()]);
    await Promise.all(contexts.map((ctx) => collectDue(ctx, 'TEST')));
    expect(sizesOf(await inFlight()).reduce((sum, count) => sum + count, 0)).toBe(20);
    await everybodyPays();
  });

  it('they share transactions of version 0 of four payments', async () => {
    await collectDue(await withFeePayers({ transactionVersion: 0 }), 'TEST');
    const sent = await inFlight();
    expect(sizesOf(sent)).toEqual([4, 4, 4, 4, 4]);
    expect(payersOf(sent)).toEqual(new Set([firstPayer, secondPayer]));
    await everybodyPays();
  });

  it('one without SOL is left out and reported', async () => {
    await fund(firstPayer, 0n);
    const ctx = await withFeePayers();
    await watchCollectors(ctx);
    expect(world.logged.filter(({ msg }) => msg.includes('fee payer'))).toMatchObject([
      { level: 40, collector: firstPayer, role: 'fee_payer', msg: expect.stringContaining('cannot pay') },
    ]);
    const checks = await checkReadiness(ctx, ['worker']);
    expect(checks['collector TEST']).toMatchObject({
      ok: true,
      detail: [
        { role: 'current', canPay: true },
        { role: 'fee_payer', address: firstPayer, canPay: false },
        { role: 'fee_payer', address: secondPayer, canPay: true },
      ],
    });
    const metrics = await new Gauges(ctx, ['worker'], async () => ({})).scrape();
    expect(metrics).toContain(`dues_fee_payer_lamports{environment="TEST",address="${firstPayer}"} 0`);
    await collectDue(ctx, 'TEST');
    const sent = await inFlight();
    expect(sizesOf(sent)).toEqual([18, 2]);
    expect(payersOf(sent)).toEqual(new Set([secondPayer]));
    await everybodyPays();
  });

  it('the collector pays if no fee payer has SOL', async () => {
    await fund(firstPayer, 0n);
    await fund(secondPayer, 0n);
    await collectDue(await withFeePayers(), 'TEST');
    const sent = await inFlight();
    expect(sizesOf(sent)).toEqual([19, 1]);
    expect(payersOf(sent)).toEqual(new Set([collector]));
    await everybodyPays();
  });

  it('the collector pays for a new token account of the merchant', async () => {
    const owner = world.merchantWallet.address;
    const account = await tokenAccountAddress(owner, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    const received = await world.tokensOf(owner);
    const nothing = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
    await world.rpc('surfnet_setAccount', [account, nothing]);
    const isThere = async () => {
      const config = { commitment: 'confirmed', encoding: 'base64' };
      return (await world.rpc<{ value: unknown }>('getAccountInfo', [account, config])).value !== null;
    };
    await world.until('it is gone', async () => !(await isThere()));
    await collectDue(await withFeePayers(), 'TEST');
    const [creating] = await inFlight();
    expect(creating).toMatchObject({ payments: 1, paidBy: collector });
    const created = await world.ctx.db.receiverAccount.findMany();
    expect(created).toMatchObject([{ transactionId: creating?.id, collector }]);
    await world.until('it is there', isThere);
    await world.jump(6);
    await everybodyPays();
    expect(await world.tokensOf(owner)).toBe(20n * PRICE);
    expect(received).toBeGreaterThan(0n);
  });
});

describe('a transaction of a fee payer', () => {
  it('that is lost expires, and another one collects; its bytes never land', async () => {
    world.setFaults({ dropTransactions: 1_000_000 });
    await fund(secondPayer, 0n);
    await collectDue(await withFeePayers(), 'TEST');
    const lost = await inFlight();
    expect(payersOf(lost)).toEqual(new Set([firstPayer]));
    await world.jump(60);
    await world.until('they are expired', async () => {
      await followTransactions(world.ctx, 'TEST');
      return (await inFlight()).length === 0;
    });
    world.setFaults({ dropTransactions: 0 });
    for (const { wire } of lost) await sendWire(world.chain, wire).catch(() => undefined);
    await fund(secondPayer, ONE_SOL);
    await fund(firstPayer, 0n);
    await collectDue(await withFeePayers(), 'TEST');
    const sent = await inFlight();
    expect(payersOf(sent)).toEqual(new Set([secondPayer]));
    await everybodyPays();
    const fees = async (transactions: readonly { readonly id: string }[]) =>
      (await settledOf(transactions)).map(({ status, feeLamports }) => [status, feeLamports !== null]);
    expect(await fees(lost)).toEqual(Array(2).fill(['EXPIRED', false]));
    expect(await fees(sent)).toEqual(Array(2).fill(['LANDED', true]));
    expect(await lamportsOf(firstPayer)).toBe(0n);
  });

  it('that fails on chain costs the fee payer, and the others pay later', async () => {
    const { ctx, reached, release } = suspendAt(await withFeePayers(), 'sendTransaction');
    const collecting = collectDue(ctx, 'TEST');
    await reached(collecting);
    const [largest] = await inFlight();
    const attempt = await world.ctx.db.attempt.findFirstOrThrow({
      where: { transactionId: largest?.id ?? '' },
      include: { payment: { include: { subscription: true } } },
    });
    const culprit = customers.find(({ id }) => id === attempt.payment.subscription.address) as Subscriber;
    const balance = await world.tokensOf(culprit.wallet.address);
    await culprit.setBalance(0n);
    await world.until('it is empty', async () => (await world.tokensOf(culprit.wallet.address)) === 0n);
    release();
    await collecting;
    await world.until('the chain has answered', async () => {
      await followTransactions(world.ctx, 'TEST');
      return (await inFlight()).length === 0;
    });
    const [failed] = await settledOf([{ id: largest?.id ?? '' }]);
    expect(failed).toMatchObject({ status: 'FAILED', collector: largest?.paidBy });
    expect(failed?.feeLamports).toBeGreaterThan(PAID_BY_FEE_PAYER);
    await culprit.setBalance(balance);
    await world.jump(61);
    await everybodyPays();
  });
});

describe('at a low rate', () => {
  it('only the collector pays', async () => {
    const { feePayersFromInFlight } = world.chain.config;
    await collectDue(await withFeePayers({ feePayersFromInFlight }), 'TEST');
    const sent = await inFlight();
    expect(sizesOf(sent)).toEqual([19, 1]);
    expect(payersOf(sent)).toEqual(new Set([collector]));
    await everybodyPays();
    for (const { feeLamports } of await settledOf(sent)) {
      expect(feeLamports).toBeGreaterThan(PAID_BY_COLLECTOR);
      expect(feeLamports).toBeLessThanOrEqual(PAID_BY_COLLECTOR + PRIORITY_FEE);
    }
  });

  it('the collector pays until so many transactions are in flight', async () => {
    const ctx = await withFeePayers({ feePayersFromInFlight: 1 });
    const { db } = world.ctx;
    const late = customers.slice(0, 10).map(({ id }) => id);
    const rows = { where: { address: { in: late } } };
    const [{ nextAttemptAt } = { nextAttemptAt: null }] = await db.subscription.findMany(rows);
    await db.subscription.updateMany({ ...rows, data: { nextAttemptAt: null } });
    await collectDue(ctx, 'TEST');
    const first = await inFlight();
    expect(sizesOf(first)).toEqual([10]);
    expect(payersOf(first)).toEqual(new Set([collector]));
    await db.subscription.updateMany({ ...rows, data: { nextAttemptAt } });
    await collectDue(ctx, 'TEST');
    const [further] = (await inFlight()).filter(({ id }) => id !== first[0]?.id);
    expect(further).toMatchObject({ payments: 10 });
    expect([firstPayer, secondPayer]).toContain(further?.paidBy);
    await everybodyPays();
  });
});

it('the fees of each account are measured', async () => {
  const ctx = await withFeePayers();
  const chain = ctx.chain.TEST;
  if (!chain) throw new Error('no chain');
  const states = [...(await readCollectors(ctx, chain)), ...(await readFeePayers(ctx, chain))];
  expect(states.map(({ role, address }) => [role, address])).toEqual([
    ['current', collector],
    ['fee_payer', firstPayer],
    ['fee_payer', secondPayer],
  ]);
  for (const { lamportsPerDay } of states) expect(lamportsPerDay).toBeGreaterThan(0n);
  await collectDue(ctx, 'TEST');
  await everybodyPays();
});
