import { address, type KeyPairSigner } from '@solana/kit';
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../../../localnet/accounts.ts';
import { createMerchant } from '../../../../src/domain/accounts/merchant/create-merchant.ts';
import { collectDue } from '../../../../src/domain/billing/collect/collect-due.ts';
import {
  FEE_LAMPORTS,
  RESERVE_LAMPORTS,
  TOKEN_ACCOUNT_LAMPORTS,
} from '../../../../src/domain/chain-state/collector/lamport-amounts.ts';
import { fundedWallet } from '../../../../tools/world/wallet.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { startWorld } from '../../world.ts';

/**
 * Failed attempts to derive the token account's address. Each costs 1,500 compute units when the
 * account is created.
 */
const FAILED_DERIVATIONS = 6;
const PRICE = 1_000_000n;
const MICRO_LAMPORTS = 1_000_000n;

const world = await sharedByFile(startWorld());

async function createWalletWithManyDerivations(mint: string): Promise<KeyPairSigner> {
  for (;;) {
    const wallet = await fundedWallet(world.network);
    const [, bump] = await findAssociatedTokenPda({
      owner: wallet.address,
      mint: address(mint),
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    });
    if (bump <= 255 - FAILED_DERIVATIONS) return wallet;
  }
}

const setCollectorLamports = (lamports: bigint) => {
  const account = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  world.network.setAccount(world.chain.collector.address, { ...account, lamports });
  world.network.tick();
};

it('the collector must have the fee for a token account that needs many derivations', async () => {
  const { db } = world;
  const config = { ...world.chain.config, minPriorityFee: PRICE, maxPriorityFee: PRICE };
  const ctx = { ...world.ctx, chain: { TEST: { ...world.chain, config } } };
  const wallet = await createWalletWithManyDerivations(config.defaultMint);
  const { merchant } = await createMerchant(ctx, { companyName: 'Unlucky', walletAddress: wallet.address });
  const owner = { wallet, merchant, scope: { merchantId: merchant.id, environment: 'TEST' as const } };
  const plan = await world.publishPlan(owner);
  const { id: subscriptionId } = await world.subscribe(owner, plan, await world.newWallet());
  // The merchant's token account is closed after the plan was published.
  const mint = address(plan.mint);
  const [receiver] = await findAssociatedTokenPda({
    owner: wallet.address,
    mint,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  await world.cheat('surfnet_setAccount', [receiver, { lamports: 0 }]);
  const countTransactionsWith = async (lamports: bigint) => {
    setCollectorLamports(lamports);
    await db.subscription.update({ where: { id: subscriptionId }, data: { nextAttemptAt: ctx.clock.now() } });
    await collectDue(ctx, 'TEST');
    return db.transferTransaction.count();
  };
  // Enough without the price of the compute units, which is unknown before the simulation.
  const unpriced = RESERVE_LAMPORTS + FEE_LAMPORTS + TOKEN_ACCOUNT_LAMPORTS;
  expect(await countTransactionsWith(unpriced)).toBe(0);
  const needed = BigInt(/and needs (\d+)/.exec(world.logged.join('\n'))?.[1] ?? 0);
  const units = ((needed - unpriced) * MICRO_LAMPORTS) / PRICE;
  expect(units).toBeGreaterThan(15_000n + BigInt(FAILED_DERIVATIONS) * 1_500n);
  expect(await countTransactionsWith(needed - 1n)).toBe(0);
  expect(await countTransactionsWith(needed)).toBe(1);
  const [sent] = await db.transferTransaction.findMany();
  const { value } = await world.chain.rpc.getSignatureStatuses([sent?.signature as never]).send();
  expect(value).toMatchObject([{ err: null }]);
});

it('a collector with one fee sends the longest overdue payment first', async () => {
  const { db } = world;
  const limits = { minPriorityFee: 0n, maxPriorityFee: 0n, maxPullsPerTransaction: 1 };
  const chain = { ...world.chain, config: { ...world.chain.config, ...limits } };
  const ctx = { ...world.ctx, chain: { TEST: chain } };
  const owner = await world.newMerchant();
  const plan = await world.publishPlan(owner);
  const older = await world.subscribe(owner, plan, await world.newWallet());
  await world.travel(60);
  const newer = await world.subscribe(owner, plan, await world.newWallet());
  const sent = async () => {
    const attempts = await db.attempt.findMany({
      where: { payment: { subscriptionId: { in: [older.id, newer.id] } } },
      select: { payment: { select: { subscriptionId: true } } },
      orderBy: { createdAt: 'asc' },
    });
    return attempts.map(({ payment }) => payment.subscriptionId);
  };
  setCollectorLamports(RESERVE_LAMPORTS + FEE_LAMPORTS);
  await collectDue(ctx, 'TEST');
  expect(await sent()).toEqual([older.id]);
  const { nextAttemptAt, claimedUntil } = await db.subscription.findUniqueOrThrow({
    where: { id: newer.id },
  });
  expect(nextAttemptAt?.getTime()).toBeGreaterThan(ctx.clock.now().getTime());
  expect(claimedUntil).toBeNull();
  await world.travel(6);
  setCollectorLamports(RESERVE_LAMPORTS + FEE_LAMPORTS);
  await collectDue(ctx, 'TEST');
  expect(await sent()).toEqual([older.id, newer.id]);
});
