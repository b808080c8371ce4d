import type { Address } from '@solana/kit';
import { getTransferSubscriptionInstruction } from '@solana/subscriptions';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { EVENT_AUTHORITY } from '../../src/chain/accounts/addresses.ts';
import { resolvePulls } from '../support/pulls.ts';
import { DAY, type Subscriber, type World } from './world.ts';

/**
 * The merchant's wallet owns the plan, and may collect without dues: `times` times the amount, in
 * one transaction.
 */
export async function pullAsMerchant(
  world: World,
  { id, plan, wallet }: Subscriber,
  amount: bigint,
  times = 1,
): Promise<void> {
  const { merchantWallet } = world;
  const [pull] = await resolvePulls([
    {
      subscription: id as Address,
      plan,
      payer: wallet.address,
      receiver: merchantWallet.address,
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      amount,
    },
  ]);
  if (!pull) throw new Error('nothing to pull');
  const instruction = getTransferSubscriptionInstruction({
    subscriptionPda: pull.subscription,
    planPda: plan,
    subscriptionAuthority: pull.authority,
    delegatorAta: pull.payerTokenAccount,
    receiverAta: pull.receiverTokenAccount,
    caller: merchantWallet,
    tokenMint: USDC_MINT,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    eventAuthority: EVENT_AUTHORITY,
    transferData: { amount, delegator: wallet.address, mint: USDC_MINT },
  });
  await world.land(merchantWallet, Array(times).fill(instruction));
}

/**
 * Subscribes a customer, who pays the first period, and moves the time to the second one, which no
 * worker collects.
 */
export async function subscribeUntilDue(world: World): Promise<Subscriber> {
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  await world.stopWorkers();
  await world.jump(DAY);
  return customer;
}
