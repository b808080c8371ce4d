/**
 * A local network, a chain, and a merchant and customers with wallets, for the tests of this
 * folder.
 */

import type { Address, Instruction, KeyPairSigner, ReadonlyUint8Array } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { onTestFinished } from 'vitest';
import { decodePlan, decodeSubscription } from '../../src/chain/accounts/accounts.ts';
import { planAddress, subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import type { Pull } from '../../src/chain/accounts/pulls.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import type { ChainTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import { readTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import type { SubscribeTerms } from '../../src/chain/transactions/checkout-transactions.ts';
import type { MessageVersion } from '../../src/chain/transactions/compile-message.ts';
import { createPlanTransaction, type NewPlan } from '../../src/chain/transactions/plan-transactions.ts';
import { signPulls } from '../../src/chain/transactions/pull-transactions.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { subscriptionToSign } from '../../tools/world/transactions-to-sign.ts';
import { signAsWallet, signedTransaction } from '../../tools/world/wallet.ts';
import { resolvePulls } from '../support/pulls.ts';

export const USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' as Address;
export const HOUR = 3_600;
export const PRICE = 5_000_000n;
export const START_BALANCE = 20_000_000n;

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld() {
  const localNetwork = await startNetwork({ slotMs: 0, collectorLamports: 10_000_000_000n });
  onTestFinished(() => localNetwork.close());
  const { localnet, network, chain, cheat } = localNetwork;
  const merchant = await localNetwork.newWallet();

  function setTokens(owner: Address, update: Record<string, unknown>): Promise<void> {
    const values = Object.entries(update).map(([key, value]) => [
      key,
      typeof value === 'bigint' ? `${value}` : value,
    ]);
    return cheat('surfnet_setTokenAccount', [owner, USDC, Object.fromEntries(values)]);
  }

  /** Signs and sends as a wallet does. Throws unless the transaction lands without an error. */
  async function signAndLand(transaction: string, wallet: KeyPairSigner): Promise<ChainTransaction> {
    return land((await signAsWallet(wallet, transaction)).wire);
  }

  async function land(wire: ReadonlyUint8Array): Promise<ChainTransaction> {
    const transaction = await outcome(wire);
    if (transaction.err)
      throw new Error(`${JSON.stringify(transaction.err)}\n${transaction.logs.join('\n')}`);
    return transaction;
  }

  /** Sends a transaction and returns it as landed, with or without an error. */
  async function outcome(wire: ReadonlyUint8Array): Promise<ChainTransaction> {
    const signature = await sendWire(chain, wire);
    network.tick();
    const transaction = await readTransaction(chain, signature);
    if (!transaction) throw new Error(`${signature} has not landed`);
    return transaction;
  }

  /** Signs instructions of the test and lands them. */
  async function landInstructions(
    payer: KeyPairSigner,
    instructions: Instruction[],
  ): Promise<ChainTransaction> {
    const { blockhash } = await latestBlockhash(chain);
    return land(await signedTransaction(payer, instructions, { blockhash }));
  }

  async function publishPlan(changes: Partial<NewPlan> = {}) {
    const terms: NewPlan = {
      owner: merchant.address,
      chainPlanId: 7n,
      mint: USDC,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      amount: PRICE,
      periodSeconds: HOUR,
      endsAt: null,
      metadataUri: 'https://dues.example/plans/gold.json',
      ...changes,
    };
    const transaction = await signAndLand(await createPlanTransaction(chain, terms), merchant);
    const address = await planAddress(terms.owner, terms.chainPlanId);
    const account = decodePlan(await dataOf(address));
    return { terms, address, account, transaction };
  }

  type Plan = Awaited<ReturnType<typeof publishPlan>>;

  function subscribeTerms({ terms, account }: Plan, subscriber: Address): SubscribeTerms {
    const { chainPlanId, mint, tokenProgram, amount, periodSeconds } = terms;
    return {
      subscriber,
      merchant: terms.owner,
      chainPlanId,
      mint,
      tokenProgram,
      amount,
      periodSeconds,
      planCreatedAt: account.createdAt,
    };
  }

  /** Creates a customer with tokens who is subscribed to the plan. */
  async function newCustomer(plan: Plan, balance = START_BALANCE, wallet?: KeyPairSigner) {
    wallet ??= await localNetwork.newWallet();
    await setTokens(wallet.address, { amount: balance });
    const { transactions } = await subscriptionToSign(chain, subscribeTerms(plan, wallet.address));
    const [transaction] = await Promise.all(transactions.map((each) => signAndLand(each, wallet)));
    if (!transaction) throw new Error('Nothing to sign');
    const subscription = await subscriptionAddress(plan.address, wallet.address);
    return { wallet, subscription, transaction };
  }

  function pullsOf(
    plan: Plan,
    ...customers: { wallet: KeyPairSigner; subscription: Address }[]
  ): Promise<Pull[]> {
    return resolvePulls(
      customers.map(({ wallet, subscription }) => ({
        subscription,
        plan: plan.address,
        payer: wallet.address,
        receiver: plan.terms.owner,
        mint: plan.terms.mint,
        tokenProgram: plan.terms.tokenProgram,
        amount: plan.terms.amount,
      })),
    );
  }

  async function sign(pulls: readonly Pull[], version: MessageVersion = 0) {
    const terms = { version, computeUnits: 1_400_000, price: 0n };
    return signPulls(chain, pulls, { blockhash: await latestBlockhash(chain), ...terms });
  }

  async function dataOf(address: Address): Promise<Uint8Array> {
    const [account] = await readAccounts(chain, [address], 'program');
    if (!account) throw new Error(`There is no account ${address}`);
    return new Uint8Array(account.data);
  }

  async function subscriptionOf({ subscription }: { subscription: Address }) {
    return decodeSubscription(await dataOf(subscription));
  }

  network.tick();
  return {
    localnet,
    network,
    chain,
    merchant,
    cheat,
    setTokens,
    signAndLand,
    land,
    outcome,
    landInstructions,
    publishPlan,
    subscribeTerms,
    newCustomer,
    pullsOf,
    sign,
    dataOf,
    subscriptionOf,
    travel: localNetwork.travel,
  };
}
