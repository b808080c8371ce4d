import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { authorityAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import type { SubscribeTerms } from '../../src/chain/transactions/checkout-transactions.ts';
import { sunsetPlanTransaction } from '../../src/chain/transactions/plan-transactions.ts';
import { decodeEvents } from '../../src/chain/transactions/program-events.ts';
import type { TransactionRefused } from '../../src/chain/transactions/transaction-refused.ts';
import { subscriptionToSign } from '../../tools/world/transactions-to-sign.ts';
import { fundedWallet } from '../../tools/world/wallet.ts';
import { alteredRpc } from './altered-rpc.ts';
import { createWorld, HOUR, START_BALANCE, type World } from './world.ts';

describe('a checkout that the chain would refuse', () => {
  async function refusalOf(world: World, terms: SubscribeTerms): Promise<unknown> {
    const error = await subscriptionToSign(world.chain, terms).catch((reason: unknown) => reason);
    return (error as { refusal?: string }).refusal;
  }

  test('is refused to a wallet without SOL, or with too little for the rent', async () => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    for (const lamports of [0, 10_000, 2_000_000, 4_000_000]) {
      const { address } = await fundedWallet(world.network, BigInt(lamports));
      expect(await refusalOf(world, world.subscribeTerms(plan, address))).toBe('insufficient_sol');
    }
  });

  test('is refused with the exact amount of lamports that the wallet needs', async () => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const { address } = await fundedWallet(world.network, 4_000_000n);
    const terms = world.subscribeTerms(plan, address);
    const refused = await subscriptionToSign(world.chain, terms).catch((reason: unknown) => reason);
    const { lamportsNeeded: needed = 0n } = refused as TransactionRefused;
    const withLamports = async (lamports: bigint) => {
      const { address: wallet } = await fundedWallet(world.network, lamports);
      return world.subscribeTerms(plan, wallet);
    };
    expect(await refusalOf(world, await withLamports(needed - 1n))).toBe('insufficient_sol');
    const { transactions } = await subscriptionToSign(world.chain, await withLamports(needed));
    expect(transactions).toHaveLength(1);
  });

  test('is refused to a wallet that is already subscribed', async () => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const { wallet } = await world.newCustomer(plan);
    expect(await refusalOf(world, world.subscribeTerms(plan, wallet.address))).toBe('already_subscribed');
  });

  test('is refused to a wallet whose token account is frozen', async () => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const { address } = await fundedWallet(world.network);
    await world.setTokens(address, { amount: START_BALANCE, state: 'frozen' });
    expect(await refusalOf(world, world.subscribeTerms(plan, address))).toBe('token_account_frozen');
  });

  test('is refused for a plan that is missing, changed, sunset or ended', async () => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const { address } = await fundedWallet(world.network);
    const terms = world.subscribeTerms(plan, address);
    for (const change of [
      { chainPlanId: 99n },
      { amount: terms.amount + 1n },
      { periodSeconds: 2 * HOUR },
      { planCreatedAt: terms.planCreatedAt + 1n },
    ]) {
      expect(await refusalOf(world, { ...terms, ...change })).toBe('plan_not_available');
    }
    const sunset = await sunsetPlanTransaction(world.chain, {
      owner: world.merchant.address,
      plan: plan.address,
      endsAt: BigInt(world.network.unixSeconds() + 2 * HOUR),
    });
    await world.signAndLand(sunset, world.merchant);
    expect(await refusalOf(world, terms)).toBe('plan_not_available');
    await world.travel(3 * HOUR);
    expect(await refusalOf(world, terms)).toBe('plan_not_available');
  });
});

describe('on a cluster whose program requires an existing authority', () => {
  test('the first call returns only the approval, and the next call the subscription', async () => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const wallet = await fundedWallet(world.network);
    const authority = await authorityAddress(wallet.address, plan.terms.mint);
    const isNew = async () => (await readAccounts(world.chain, [authority], 'program'))[0] === undefined;
    type Simulation = { value: { err: unknown; logs: string[] } };
    const rpcUrl = await alteredRpc(world.localnet.rpcUrl, async ({ method }, { value }: Simulation) => {
      if (method !== 'simulateTransaction' || !(await isNew())) return;
      // The token account and the approval are two instructions, which are accepted.
      const calls = value.logs.filter((line) => line.endsWith('invoke [1]')).length;
      if (calls === 3) value.err = { InstructionError: [2, { Custom: 136 }] };
    });
    const chain = await createChain('TEST', { ...world.chain.config, rpcUrl });
    const terms = world.subscribeTerms(plan, wallet.address);

    const first = await subscriptionToSign(chain, terms);
    expect(first).toMatchObject({ transactions: [expect.any(String)], more: true });
    const approved = await world.signAndLand(first.transactions[0] ?? '', wallet);
    expect(decodeEvents(approved)).toEqual([]);

    const second = await subscriptionToSign(chain, terms);
    expect(second).toMatchObject({ transactions: [expect.any(String)], more: false });
    const subscribed = await world.signAndLand(second.transactions[0] ?? '', wallet);
    expect(decodeEvents(subscribed)).toMatchObject([
      { type: 'created', subscriber: wallet.address as Address },
    ]);
  });
});
