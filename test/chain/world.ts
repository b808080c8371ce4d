/**
 * A local network, a chain, and a merchant and customers with wallets, for the tests of this
 * folder.
 */
import {
  type Address,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  type Transaction,
} from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { onTestFinished } from 'vitest';
import { type Localnet, startLocalnet } from '../../localnet/localnet.ts';
import { decodePlan, decodeSubscription } from '../../src/chain/accounts/accounts.ts';
import { planAddress, subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import type { Pull } from '../../src/chain/accounts/pulls.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import type { ChainTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import { readTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import {
  type SubscribeTerms,
  subscribeTransaction,
} from '../../src/chain/transactions/checkout-transactions.ts';
import type { MessageVersion } from '../../src/chain/transactions/compile-message.ts';
import { createPlanTransaction, type NewPlan } from '../../src/chain/transactions/plan-transactions.ts';
import { signPulls } from '../../src/chain/transactions/pull-transactions.ts';
import { type ClusterConfig, COLLECTING_DEFAULTS } from '../../src/config/cluster-config.ts';
import { callRpc } from '../support/json-rpc.ts';
import { resolvePulls } from '../support/pulls.ts';
import { fundedWallet, signedTransaction } from '../support/wallet.ts';

export const USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' as Address;
export const HOUR = 3_600;
export const PRICE = 5_000_000n;
export const START_BALANCE = 20_000_000n;

/** The private seed and the public key of a key pair for the tests. */
export const COLLECTOR_KEY = Uint8Array.from(
  Buffer.from(
    '0101010101010101010101010101010101010101010101010101010101010101' +
      '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
    'hex',
  ),
);

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld() {
  const localnet = await startLocalnet({ slotMs: 0 });
  onTestFinished(() => localnet.close());
  const { network } = localnet;
  const chain = await createChain('TEST', configOf(localnet));
  network.setAccount(chain.collector.address, {
    lamports: 10_000_000_000n,
    owner: '11111111111111111111111111111111' as Address,
    data: new Uint8Array(),
    executable: false,
  });
  const merchant = await fundedWallet(network);

  async function cheat(method: string, params: unknown[]): Promise<void> {
    const { error } = await callRpc(localnet.rpcUrl, method, params);
    if (error) throw new Error(`${method}: ${error.message}`);
    network.tick();
  }

  function setTokens(owner: Address, update: Record<string, unknown>): Promise<void> {
    const values = Object.entries(update).map(([key, value]) => [
      key,
      typeof value === 'bigint' ? `${value}` : value,
    ]);
    return cheat('surfnet_setTokenAccount', [owner, USDC, Object.fromEntries(values)]);
  }

  /** Signs and sends as a wallet does. Throws unless the transaction lands without an error. */
  async function signAndLand(transaction: string, wallet: KeyPairSigner): Promise<ChainTransaction> {
    const signed = await signAsWallet(transaction, wallet);
    return land(new Uint8Array(getBase64Encoder().encode(getBase64EncodedWireTransaction(signed))));
  }

  async function land(wire: Parameters<typeof sendWire>[1]): Promise<ChainTransaction> {
    const transaction = await outcome(wire);
    if (transaction.err)
      throw new Error(`${JSON.stringify(transaction.err)}\n${transaction.logs.join('\n')}`);
    return transaction;
  }

  /** Sends a transaction and returns it as landed, with or without an error. */
  async function outcome(wire: Parameters<typeof sendWire>[1]): Promise<ChainTransaction> {
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
      intervalSeconds: HOUR,
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
    const { chainPlanId, mint, tokenProgram, amount, intervalSeconds } = terms;
    return {
      subscriber,
      merchant: terms.owner,
      chainPlanId,
      mint,
      tokenProgram,
      amount,
      intervalSeconds,
      planCreatedAt: account.createdAt,
    };
  }

  /** Creates a customer with tokens who is subscribed to the plan. */
  async function newCustomer(plan: Plan, balance = START_BALANCE, wallet?: KeyPairSigner) {
    wallet ??= await fundedWallet(network);
    await setTokens(wallet.address, { amount: balance });
    const { transactions } = await subscribeTransaction(chain, subscribeTerms(plan, wallet.address));
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

  /** Moves the chain's clock forward. */
  function travel(seconds: number): Promise<void> {
    return cheat('surfnet_timeTravel', [{ absoluteTimestamp: (network.unixSeconds() + seconds) * 1_000 }]);
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
    travel,
  };
}

export function configOf(localnet: Pick<Localnet, 'rpcUrl' | 'geyserUrl'>): ClusterConfig {
  return {
    rpcUrl: localnet.rpcUrl,
    yellowstoneUrl: localnet.geyserUrl,
    yellowstoneToken: undefined,
    defaultMint: USDC,
    collectorKey: COLLECTOR_KEY,
    ...COLLECTING_DEFAULTS,
    paysRentAfterDays: 0,
  };
}

/** Decodes base64 from a merchant's site, as a wallet does. */
export function signAsWallet(transaction: string, wallet: KeyPairSigner): Promise<Transaction> {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  return partiallySignTransaction([wallet.keyPair], unsigned);
}
