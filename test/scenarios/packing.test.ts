import {
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import type { AppContext } from '../../src/app.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { acceptedVersion } from '../../src/chain/transactions/accepted-version.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { alteredRpc } from '../chain/altered-rpc.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { untilEverybodyPaid } from './everybody-paid.ts';
import { suspendAt } from './suspend-at.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const BASE_FEE = 5_000n;

interface Payments {
  readonly payments: { readonly edges: readonly { readonly node: { readonly feeLamports: string } }[] };
}

const world = await sharedByFile(startWorld());
const planId = await world.plan();
const customers = await Promise.all(Array.from({ length: 20 }, () => world.subscriber(planId)));
await world.quiet();
let paid = 1;

/**
 * The next period has begun, and only the test collects. A claim skips rows that the indexer has
 * locked, which would then be packed separately, and the indexer settles what has landed.
 */
beforeEach(async () => {
  await world.quiet();
  await world.stopWorkers();
  await world.ctx.db.transferTransaction.deleteMany({ where: { attempts: { none: {} } } });
  await world.jump(DAY);
  await world.stopIndexer();
});

/** Lets dues finish, after which every customer has paid once more. */
async function everybodyPays(): Promise<void> {
  paid += 1;
  // A payment whose call was refused by the node is due again a few seconds later.
  for (const books of await untilEverybodyPaid(world, customers, paid)) {
    expect(books.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(paid);
  }
}

/** The number of payments of each transaction in flight, largest first. */
async function underWay(): Promise<number[]> {
  const open = await world.ctx.db.transferTransaction.findMany({
    where: { status: 'SUBMITTED' },
    include: { attempts: true },
  });
  return open.map(({ attempts }) => attempts.length).sort((a, b) => b - a);
}

/** Removes all tokens from the wallet; resolves once that is confirmed. */
async function drain({ wallet, setBalance }: Subscriber): Promise<void> {
  await setBalance(0n);
  await world.until('it is empty', async () => (await world.tokensOf(wallet.address)) === 0n);
}

/**
 * The rows of settled payments that a later statement of the same database transaction has written again:
 * the statement that closes the transaction, or one after that which stored the transfer.
 */
async function writtenAgain() {
  const [rows] = await world.ctx.db.$queryRaw<unknown[]>`
    SELECT count(*)::int AS "settled", (count(*) FILTER (WHERE a.cmin::text::int >= t.cmin::text::int))::int AS "attempts",
      (count(*) FILTER (WHERE c.cmin::text <> '0'))::int AS "transfers"
    FROM "Attempt" a JOIN "TransferTransaction" t ON t."id" = a."transactionId" AND t.xmin = a.xmin
      JOIN "ChainTransfer" c ON c."paymentId" = a."paymentId"`;
  return rows;
}

const stateOf = ({ id: address }: Subscriber) =>
  world.ctx.db.subscription.findFirstOrThrow({
    where: { address },
    include: { payments: { orderBy: { periodStart: 'desc' }, include: { attempts: true } } },
  });

describe('twenty payments of one plan', () => {
  it('share two transactions, and the fee of each', async () => {
    await collectDue(world.ctx, 'TEST');
    expect(await underWay()).toEqual([19, 1]);
    const open = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
    await everybodyPays();
    const ids = open.map(({ id }) => id);
    const transactions = await world.ctx.db.transferTransaction.findMany({
      where: { id: { in: ids } },
      include: { attempts: true },
    });
    for (const { feeLamports, attempts } of transactions) {
      const fee = feeLamports ?? 0n;
      // At the minimum priority fee, 200,000 compute units cost 200 lamports. The official program
      // may use twice as many compute units as ours.
      expect(fee).toBeGreaterThan(BASE_FEE);
      expect(fee).toBeLessThanOrEqual(BASE_FEE + 400n);
      const parts = attempts.map((attempt) => attempt.feeLamports ?? 0n);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(fee);
      const even = fee / BigInt(parts.length);
      expect(parts.every((part) => part === even || part === even + 1n)).toBe(true);
    }
    const { payments } = await world.graphql<Payments>(
      '{ payments(first: 20) { edges { node { feeLamports } } } }',
    );
    const shown = payments.edges.map(({ node }) => node.feeLamports).sort();
    const booked = transactions.flatMap(({ attempts }) => attempts.map((each) => String(each.feeLamports)));
    expect(shown).toEqual(booked.sort());
    // Of this period and of the first one.
    expect(await writtenAgain()).toEqual({ settled: 40, attempts: 0, transfers: 0 });
  });

  it('request only the compute units that they use, with a margin', async () => {
    await collectDue(world.ctx, 'TEST');
    const open = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
    await everybodyPays();
    for (const { wire, signature } of open) {
      const { messageBytes } = getTransactionDecoder().decode(new Uint8Array(wire));
      const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
      const { config } = decompileTransactionMessage(message) as { config?: { computeUnitLimit?: number } };
      const limit = config?.computeUnitLimit ?? 0;
      const { meta } = await world.rpc<{ meta: { computeUnitsConsumed: number } }>('getTransaction', [
        signature,
        { commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
      ]);
      expect(limit).toBeGreaterThanOrEqual(meta.computeUnitsConsumed);
      expect(limit).toBeLessThanOrEqual(meta.computeUnitsConsumed * 1.25 + 1_000);
    }
  });

  it('are sent without a payment that fails in the simulation', async () => {
    const { ctx, reached, release } = suspendAt(world.ctx, 'simulateTransaction');
    const [poor, ...others] = customers as [Subscriber, ...Subscriber[]];
    const collecting = collectDue(ctx, 'TEST');
    await reached(collecting);
    const before = await world.tokensOf(poor.wallet.address);
    await drain(poor);
    release();
    await collecting;
    expect((await underWay()).reduce((sum, count) => sum + count, 0)).toBe(others.length);
    const { failureCount, payments } = await stateOf(poor);
    expect(failureCount).toBe(1);
    expect(payments[0]?.attempts).toMatchObject([{ status: 'FAILED', transactionId: null }]);
    await poor.setBalance(before);
    await world.jump(61);
    await everybodyPays();
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'FAILED' } })).toBe(0);
  });

  it('are sent again without the payment that failed, at last one by one', async () => {
    const balances = new Map<Subscriber, bigint>();
    const failOneAfterSimulation = async (culprit: Subscriber) => {
      const { ctx, reached, release } = suspendAt(world.ctx, 'sendTransaction');
      const collecting = collectDue(ctx, 'TEST');
      await reached(collecting);
      balances.set(culprit, await world.tokensOf(culprit.wallet.address));
      await drain(culprit);
      release();
      await collecting;
      await world.until('the chain has answered', async () => {
        await followTransactions(world.ctx, 'TEST');
        return (await underWay()).length === 0;
      });
    };
    const [first, second, ...others] = await inOrderOfPacking();
    await failOneAfterSimulation(first);
    expect((await stateOf(first)).status).toBe('PAST_DUE');
    await failOneAfterSimulation(second);
    expect((await stateOf(second)).status).toBe('PAST_DUE');
    await collectDue(world.ctx, 'TEST');
    const open = await underWay();
    expect(open.filter((count) => count === 1).length).toBeGreaterThanOrEqual(others.length - 2);
    for (const [customer, balance] of balances) await customer.setBalance(balance);
    await world.jump(61);
    await everybodyPays();
  });

  it('create the merchant’s token account again if it is missing', async () => {
    const owner = world.merchantWallet.address;
    const account = await tokenAccountAddress(owner, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    const nothing = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
    await world.rpc('surfnet_setAccount', [account, nothing]);
    await world.until('it is gone', async () => {
      const config = { commitment: 'confirmed', encoding: 'base64' };
      return (await world.rpc<{ value: unknown }>('getAccountInfo', [account, config])).value === null;
    });
    // One payment creates it; the others wait five seconds for that.
    await collectDue(world.ctx, 'TEST');
    await world.until('it is there', async () => {
      const config = { commitment: 'confirmed', encoding: 'base64' };
      return (await world.rpc<{ value: unknown }>('getAccountInfo', [account, config])).value !== null;
    });
    await world.jump(6);
    await everybodyPays();
    expect(await world.tokensOf(owner)).toBe(20n * PRICE);
  });

  it('share five transactions if the cluster stopped accepting version 1', async () => {
    let takesVersion1 = true;
    const { chain, ctx } = world;
    const rpcUrl = await alteredRpc(chain.config.rpcUrl, ({ method, params }, _, answer) => {
      const isNew = Buffer.from(String(params[0]), 'base64')[0] === 0x81;
      if (takesVersion1 || method !== 'simulateTransaction' || !isNew) return;
      const error = { code: -32602, message: 'failed to deserialize' };
      Object.assign(answer, { error, result: undefined });
    });
    const older = await createChain('TEST', { ...chain.config, rpcUrl });
    expect(await acceptedVersion(older)).toBe(1);
    takesVersion1 = false;
    const onOlder: AppContext = { ...ctx, chain: { TEST: older } };
    await collectDue(onOlder, 'TEST');
    expect(await underWay()).toEqual([4, 4, 4, 4, 4]);
    await everybodyPays();
  });

  it('are collected once although the node refuses three calls of each method', async () => {
    const fault = { fault: 'rate-limit', times: 3 } as const;
    const methods = ['getMultipleAccounts', 'simulateTransaction', 'sendTransaction', 'getSignatureStatuses'];
    world.setFaults({
      methods: Object.fromEntries([...methods, 'getTransaction'].map((name) => [name, fault])),
    });
    await everybodyPays();
  });

  it('share transactions of at most maxPullsPerTransaction payments', async () => {
    const config = { ...world.chain.config, maxPullsPerTransaction: 7 };
    await collectDue({ ...world.ctx, chain: { TEST: { ...world.chain, config } } }, 'TEST');
    expect(await underWay()).toEqual([7, 7, 6]);
    await everybodyPays();
  });
});

/** The customers in the order of packing, which is that of their due dates. */
async function inOrderOfPacking(): Promise<[Subscriber, Subscriber, ...Subscriber[]]> {
  const rows = await world.ctx.db.subscription.findMany({
    select: { address: true },
    // Many of them are due in the same second.
    orderBy: [{ nextPaymentAt: 'asc' }, { id: 'asc' }],
  });
  const ordered = rows.flatMap(({ address }) => customers.find(({ id }) => id === address) ?? []);
  return ordered as [Subscriber, Subscriber, ...Subscriber[]];
}
