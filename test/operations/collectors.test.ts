import { type Address, createKeyPairSignerFromBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { signAndSend } from '../../bin/sign-and-send.ts';
import { startIndexer } from '../../indexer/main.ts';
import { decodePlan } from '../../src/chain/accounts/accounts.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { daysLeft, lamportsPerDay } from '../../src/domain/chain-state/collector/fee-rate.ts';
import { readCollectors } from '../../src/domain/chain-state/collector/read-collectors.ts';
import { watchCollectors } from '../../src/domain/chain-state/collector/watch-collectors.ts';
import type { Workers } from '../../src/jobs/worker.ts';
import { startWorker } from '../../workers/main.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startSigner } from './signer.ts';

const TOKEN = 'secret-token-of-the-signer';

let newPayer: Subscriber;

const world = await sharedByFile(startWorld({ workers: false }));
const oldPayer = await world.subscriber(await world.plan());
const key = await newKeyPairBytes();
const newAddress = (await createKeyPairSignerFromBytes(key)).address;
world.fund(newAddress);
const signer = await sharedByFile(startSigner(key, newAddress, TOKEN));
const chain = await createChain('TEST', {
  ...world.chain.config,
  collectorKey: { url: signer.url, token: TOKEN },
  previousCollectorKey: world.chain.config.collectorKey,
});
/** The context of processes with the new key, which the signer holds, and the previous one. */
const ctx = { ...world.ctx, chain: { TEST: chain } };
await world.stopIndexer();
await sharedByFile(startIndexer(ctx));

/** The collector of a subscriber's newest payment, from the chain and from the books. */
async function readCollectorOf({ id }: Subscriber): Promise<(string | null | undefined)[]> {
  const signature = (await world.books(id)).at(-1)?.signature ?? '';
  const transfer = await ctx.db.chainTransfer.findFirst({ where: { signature } });
  const transaction = await ctx.db.transferTransaction.findUnique({ where: { signature } });
  return [transfer?.puller, transaction?.collector];
}

/** Sets a balance, and waits until it is confirmed. */
async function fund(address: Address, lamports?: bigint): Promise<void> {
  world.fund(address, lamports);
  await world.until('the balance is confirmed', async () => {
    const { value } = await chain.rpc.getBalance(address, { commitment: 'confirmed' }).send();
    return lamports === undefined ? value > 1_000_000_000n : value === lamports;
  });
}

async function waitUntilSettled(subscriber: Subscriber, payments: number): Promise<void> {
  await world.until(`payment ${payments} is settled`, async () => {
    const books = await world.books(subscriber.id);
    return books.filter(({ status }) => status === 'SUCCEEDED').length === payments;
  });
}

describe('during a change of the collector’s key', () => {
  it('new plans name both keys, and accept subscribers', async () => {
    const { plan, transaction } = await createPlan(ctx, world.scope, {
      planId: 'new',
      name: 'new',
      amount: PRICE,
      intervalSeconds: DAY,
      trialPeriodSeconds: 0,
    });
    await signAndSend(chain, world.merchantWallet, transaction);
    await world.until('the plan is active', async () => {
      const { status } = await ctx.db.plan.findUniqueOrThrow({ where: { id: plan.id } });
      return status === 'ACTIVE';
    });
    const [account] = await readAccounts(chain, [plan.address as Address], 'program');
    expect(account && decodePlan(account.data).pullers).toEqual([newAddress, world.chain.collector.address]);
    newPayer = await world.subscriber('new');
  });

  it('each plan is collected by the key that it names', async () => {
    // A first payment is due at the second of the block, which our clock may reach a moment later.
    await world.jump(1);
    await collectDue(ctx, 'TEST');
    await waitUntilSettled(oldPayer, 1);
    await waitUntilSettled(newPayer, 1);
    const old = world.chain.collector.address;
    expect(await readCollectorOf(oldPayer)).toEqual([old, old]);
    expect(await readCollectorOf(newPayer)).toEqual([newAddress, newAddress]);
    const payments = [...(await world.books(oldPayer.id)), ...(await world.books(newPayer.id))];
    expect(payments.map(({ collectedByUs }) => collectedByUs)).toEqual([true, true]);
    expect(new Set(signer.authorizations)).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  it.each([
    ['does not answer', 'isDown'],
    ['signs something else', 'signsOtherBytes'],
  ] as const)(
    'a signer that %s costs the customer nothing, and delays no other payments',
    async (_, problem) => {
      const before = (await world.books(newPayer.id)).length;
      const balance = await world.tokensOf(newPayer.wallet.address);
      await world.jump(DAY);
      signer[problem] = true;
      await collectDue(ctx, 'TEST');
      await waitUntilSettled(oldPayer, before + 1);
      signer[problem] = false;
      expect(await newPayer.state()).toEqual({ state: 'active', failureCount: 0 });
      expect(await world.tokensOf(newPayer.wallet.address)).toBe(balance);
      // Released payments are due again after half a minute.
      await world.jump(31);
      await collectDue(ctx, 'TEST');
      await waitUntilSettled(newPayer, before + 1);
      expect(await newPayer.state()).toEqual({ state: 'active', failureCount: 0 });
      expect(await world.tokensOf(newPayer.wallet.address)).toBe(balance - PRICE);
    },
  );

  it('the spending of each key is measured', async () => {
    const states = await readCollectors(ctx, chain);
    expect(states).toMatchObject([
      { role: 'current', address: newAddress, canPay: true },
      { role: 'previous', address: world.chain.collector.address, canPay: true },
    ]);
    for (const { address, lamportsPerDay: rate, lamports, daysLeft: days } of states) {
      const { _sum } = await ctx.db.transferTransaction.aggregate({
        where: { collector: address },
        _sum: { feeLamports: true },
      });
      expect(_sum.feeLamports).toBeGreaterThanOrEqual(15_000n);
      // Three payments in a little more than two days.
      expect(rate).toBeGreaterThan(((_sum.feeLamports ?? 0n) * 10n) / 25n);
      expect(rate).toBeLessThan(_sum.feeLamports ?? 0n);
      expect(days).toBeGreaterThan(Number(lamports / (rate ?? 1n)) - 200);
    }
  });

  it('a fee payer pays for the pulls of both keys', async () => {
    const feePayerKey = await newKeyPairBytes();
    const { address } = await createKeyPairSignerFromBytes(feePayerKey);
    await fund(address);
    const config = { ...chain.config, feePayerKeys: [feePayerKey], feePayersFromInFlight: 0 };
    const before = (await world.books(newPayer.id)).length;
    await world.jump(DAY);
    await collectDue({ ...ctx, chain: { TEST: await createChain('TEST', config) } }, 'TEST');
    await waitUntilSettled(oldPayer, before + 1);
    await waitUntilSettled(newPayer, before + 1);
    expect(await readCollectorOf(oldPayer)).toEqual([world.chain.collector.address, address]);
    expect(await readCollectorOf(newPayer)).toEqual([newAddress, address]);
    const payments = [...(await world.books(oldPayer.id)), ...(await world.books(newPayer.id))];
    expect(new Set(payments.map(({ collectedByUs }) => collectedByUs))).toEqual(new Set([true]));
  });
});

describe('a collector that runs out of SOL', () => {
  const findLogged = () => world.logged.filter(({ msg }) => msg.includes('collector'));

  it('is reported when its SOL lasts only for days', async () => {
    const [state] = await readCollectors(ctx, chain);
    const perDay = state?.lamportsPerDay ?? 0n;
    await fund(newAddress, 890_880n + perDay * 3n);
    await watchCollectors(ctx);
    expect(findLogged().at(-1)).toMatchObject({
      level: 40,
      msg: "the collector's SOL lasts 3 days at the current rate: send SOL to it",
    });
  });

  it('is reported as an error when it is empty, and a worker still starts', async () => {
    await fund(newAddress, 890_880n + 4_999n);
    await watchCollectors(ctx);
    expect(findLogged().at(-1)).toMatchObject({
      level: 50,
      msg: 'the collector cannot pay fees: nothing is collected until it has SOL',
    });
    expect(findLogged().at(-1)).toMatchObject({ lamports: '895879', lamportsNeeded: '895880' });
    const worker: Workers = await startWorker(ctx);
    await worker.close();
  });

  it('of the previous key does not prevent the start of a worker', async () => {
    await fund(newAddress);
    await fund(world.chain.collector.address, 0n);
    const worker: Workers = await startWorker(ctx);
    await worker.close();
    expect(findLogged().at(-1)).toMatchObject({ level: 50 });
  });
});

describe('a signer that cannot be used', () => {
  const start = (url: string, token: string | undefined) =>
    createChain('TEST', { ...world.chain.config, collectorKey: { url, token } });

  it('is reported in one line, without its token', async () => {
    await expect(start(signer.url, 'another')).rejects.toThrow(
      /^The signer at http:\S+ cannot be used: it responded with status 401$/,
    );
    const closed = await startSigner(await newKeyPairBytes(), newAddress, TOKEN);
    await closed.close();
    await expect(start(closed.url, TOKEN)).rejects.toThrow(
      /^The signer at http:\S+ cannot be used: .*ECONNREFUSED/,
    );
  });
});

describe('the rate of fees', () => {
  const now = new Date('2026-12-08T00:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const HOUR = 3_600_000;
  it.each([
    ['nothing was spent', 0n, ago(HOUR), null],
    ['nothing was measured', 5n, null, null],
    ['the first fee was a day ago', 1_000n, ago(24 * HOUR), 1_000n],
    ['the first fee was twelve hours ago', 1_000n, ago(12 * HOUR), 2_000n],
    ['the first fee was just now: the minimum is an hour', 1_000n, now, 24_000n],
    ['fees are older than a week: the maximum is a week', 7_000n, ago(9 * 24 * HOUR), 1_000n],
  ])('if %s', (_, spent, since, expected) => {
    expect(lamportsPerDay(spent, since, now)).toBe(expected);
  });

  it.each([
    [10_000n, 1_000n, 10],
    [1_550n, 1_000n, 1.5],
    [0n, 1_000n, 0],
    [10_000n, null, null],
  ])('%s lamports at %s a day last %s days', (lamports, rate, days) => {
    expect(daysLeft(lamports, rate)).toBe(days);
  });
});
