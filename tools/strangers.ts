import { type Address, address } from '@solana/kit';
import { type Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { getMintEncoder } from '@solana-program/token';
import { TOKEN_PROGRAM } from '../localnet/token.ts';
import { landTransaction } from './land-transaction.ts';
import { signPull } from './merchant-pull.ts';
import { INNER_CALLS, MEMO_PROGRAM } from './stranger-node.ts';
import type { LocalnetClient } from './world/localnet-client.ts';
import { createAddress, MAX_U64, writePlan, writeSubscription } from './world/seed-subscriptions.ts';

// What strangers put on the chain to harm others. Amounts that do not fit a signed 64-bit integer
// are possible in a token of their own.

const LAMPORTS = 1_000_000_000;
/** The least amount that a signed 64-bit integer does not hold. */
const LARGE_AMOUNT = 2n ** 63n;

/** The local network, as strangers use it. */
export interface StrangersCluster {
  readonly client: LocalnetClient;
  readonly connection: Connection;
}

/** Creates a token that anybody could have created. */
export async function createWorthlessMint(client: LocalnetClient): Promise<Address> {
  const mint = createAddress();
  const data = getMintEncoder().encode({
    mintAuthority: createAddress(),
    supply: MAX_U64,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
  });
  const hex = Buffer.from(data as Uint8Array).toString('hex');
  await client.call('surfnet_setAccount', [mint, { lamports: LAMPORTS, owner: TOKEN_PROGRAM, data: hex }]);
  return mint;
}

/** Creates an account that `stranger-node.ts` shows with 10 MB. */
export async function createLargeAccount(client: LocalnetClient, owner: Address): Promise<Address> {
  const account = createAddress();
  await client.call('surfnet_setAccount', [account, { lamports: LAMPORTS, owner }]);
  return account;
}

/**
 * Sends a transaction that `stranger-node.ts` shows with 63 large inner instructions, and that
 * names `named`. Returns its signature.
 */
export async function landInnerCalls(
  { client, connection }: StrangersCluster,
  named: string,
): Promise<string> {
  const payer = await fundedKeypair(client);
  const transaction = new Transaction();
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: new PublicKey(INNER_CALLS),
    lamports: LAMPORTS / 100,
  });
  // The system program ignores the other accounts.
  for (const key of [named, MEMO_PROGRAM, TOKEN_PROGRAM]) {
    transfer.keys.push({ pubkey: new PublicKey(key), isSigner: false, isWritable: false });
  }
  const { blockhash } = await connection.getLatestBlockhash();
  transaction.add(transfer);
  Object.assign(transaction, { feePayer: payer.publicKey, recentBlockhash: blockhash });
  transaction.sign(payer);
  return await landTransaction(connection, transaction.serialize());
}

/** Pulls 2^63 base units of a worthless token, for a plan that dues does not know. */
export async function pullLargeAmount(
  { client, connection }: StrangersCluster,
  mint: Address,
  nowSeconds = Math.floor(Date.now() / 1_000),
): Promise<void> {
  const merchant = await fundedKeypair(client);
  const owner = address(merchant.publicKey.toBase58());
  const startedAt = nowSeconds - 60;
  const settings = { wallet: owner, collector: owner, startedAt, mint, amount: LARGE_AMOUNT };
  const terms = await writePlan(client, settings);
  const wallet = address(Keypair.generate().publicKey.toBase58());
  const payer = { wallet, startedAt, balance: MAX_U64 };
  const subscription = await writeSubscription(client, terms, payer);
  const { wire } = await signPull(connection, merchant, {
    subscription: subscription.address,
    plan: terms.plan,
    payer: new PublicKey(wallet),
    amount: LARGE_AMOUNT,
    mint: new PublicKey(mint),
  });
  await landTransaction(connection, wire);
}

/** A new wallet with SOL. */
async function fundedKeypair(client: LocalnetClient): Promise<Keypair> {
  const keypair = Keypair.generate();
  await client.call('surfnet_setAccount', [keypair.publicKey.toBase58(), { lamports: LAMPORTS }]);
  return keypair;
}
