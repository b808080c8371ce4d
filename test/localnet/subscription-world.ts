/** A local network used only through cluster clients: kit, @solana/web3.js and Yellowstone. */

import type { Address, KeyPairSigner, Signature } from '@solana/kit';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { onTestFinished } from 'vitest';
import { signAndSend } from '../../bin/sign-and-send.ts';
import type { Localnet } from '../../localnet/localnet.ts';
import { decodePlan } from '../../src/chain/accounts/accounts.ts';
import { PROGRAM, planAddress, subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import { createPlanTransaction } from '../../src/chain/transactions/plan-transactions.ts';
import { signPulls } from '../../src/chain/transactions/pull-transactions.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { subscriptionToSign } from '../../tools/world/transactions-to-sign.ts';
import { HOUR, PRICE, START_BALANCE, USDC } from '../chain/world.ts';
import { resolvePulls } from '../support/pulls.ts';
import { web3Connection } from './websocket/web3-connection.ts';

const LAMPORTS = 1_000_000_000;

/** A wallet that signs and sends given transactions. */
export interface Wallet {
  readonly address: Address;
  signAndSend(unsigned: string): Promise<Signature>;
}

export interface KitWallet extends Wallet {
  readonly signer: KeyPairSigner;
}

export interface Customer<W extends Wallet = Wallet> {
  readonly wallet: W;
  readonly subscription: Address;
  /** Signature of the transaction that approved and subscribed. */
  readonly signature: Signature;
}

export type SubscriptionWorld = Awaited<ReturnType<typeof createSubscriptionWorld>>;

export async function createSubscriptionWorld() {
  const { localnet, chain, setTokens, travel, newWallet, close } = await startNetwork({ slotMs: 0 });
  onTestFinished(() => close());
  const { rpc } = chain;

  async function kitWallet(): Promise<KitWallet> {
    const signer = await newWallet();
    return {
      address: signer.address,
      signer,
      signAndSend: async (unsigned) => (await signAndSend(chain, signer, unsigned)) as Signature,
    };
  }

  const merchant = await kitWallet();

  async function publishPlan() {
    const terms = {
      owner: merchant.address,
      chainPlanId: 1n,
      mint: USDC,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      amount: PRICE,
      periodSeconds: HOUR,
      endsAt: null,
      metadataUri: '',
    };
    await merchant.signAndSend(await createPlanTransaction(chain, terms));
    const address = await planAddress(terms.owner, terms.chainPlanId);
    const [account] = await readAccounts(chain, [address], 'program');
    if (!account) throw new Error('the plan has not landed');
    return { address, terms, createdAt: decodePlan(account.data).createdAt };
  }

  type Plan = Awaited<ReturnType<typeof publishPlan>>;

  /** Gives the wallet tokens, and subscribes in one transaction. */
  async function subscribe<W extends Wallet>(plan: Plan, wallet: W): Promise<Customer<W>> {
    await setTokens(wallet.address, START_BALANCE);
    const { transactions, more } = await subscriptionToSign(chain, {
      ...plan.terms,
      subscriber: wallet.address,
      merchant: plan.terms.owner,
      planCreatedAt: plan.createdAt,
    });
    const [unsigned, ...others] = transactions;
    if (!unsigned || others.length > 0 || more)
      throw new Error('subscribing needs more than one transaction');
    const signature = await wallet.signAndSend(unsigned);
    return { wallet, signature, subscription: await subscriptionAddress(plan.address, wallet.address) };
  }

  /** Collects once from each customer, in one version 1 transaction. */
  async function pullAll(plan: Plan, customers: readonly Customer[]): Promise<Signature> {
    const pulls = await resolvePulls(
      customers.map(({ wallet, subscription }) => ({
        ...plan.terms,
        subscription,
        plan: plan.address,
        payer: wallet.address,
        receiver: plan.terms.owner,
      })),
    );
    const { wire } = await signPulls(chain, pulls, {
      blockhash: await latestBlockhash(chain),
      version: 1,
      computeUnits: 1_400_000,
      price: 0n,
    });
    return sendWire(chain, wire);
  }

  /** Addresses of the plan's subscriptions, as getProgramAccounts finds them. */
  async function listSubscriptions(plan: Plan): Promise<Address[]> {
    const found = await rpc
      .getProgramAccounts(PROGRAM, {
        commitment: 'confirmed',
        encoding: 'base64',
        filters: [
          { dataSize: 155n },
          { memcmp: { offset: 0n, bytes: 'BA==', encoding: 'base64' } } as never,
          { memcmp: { offset: 35n, bytes: plan.address, encoding: 'base58' } } as never,
        ],
      })
      .send();
    return found.map(({ pubkey }) => pubkey);
  }

  return {
    localnet,
    chain,
    merchant,
    kitWallet,
    web3Wallet: () => web3Wallet(localnet),
    publishPlan,
    subscribe,
    pullAll,
    listSubscriptions,
    travel,
  };
}

/** A wallet that uses only @solana/web3.js, with confirmations over WebSocket. */
async function web3Wallet({ rpcUrl, webSocketUrl }: Localnet): Promise<Wallet> {
  const connection = web3Connection(webSocketUrl, rpcUrl);
  const keypair = Keypair.generate();
  await connection.requestAirdrop(keypair.publicKey, LAMPORTS);
  return {
    address: keypair.publicKey.toBase58() as Address,
    async signAndSend(unsigned) {
      const transaction = VersionedTransaction.deserialize(Buffer.from(unsigned, 'base64'));
      transaction.sign([keypair]);
      const lifetime = await connection.getLatestBlockhash();
      const signature = await connection.sendTransaction(transaction);
      const { value } = await connection.confirmTransaction({ signature, ...lifetime });
      if (value.err) throw new Error(JSON.stringify(value.err));
      return signature as Signature;
    },
  };
}
