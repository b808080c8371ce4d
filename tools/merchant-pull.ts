import { getBase58Decoder } from '@solana/kit';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import {
  type Connection,
  type Keypair,
  PublicKey,
  Transaction,
  type TransactionInstructionCtorFields,
} from '@solana/web3.js';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../localnet/token.ts';

const PROGRAM = new PublicKey(SUBSCRIPTIONS_PROGRAM);
const USDC = new PublicKey(USDC_MINT);
/** Discriminator of the program's `transferSubscription` instruction. */
const TRANSFER_SUBSCRIPTION = 10;

/** A pull by the owner of a plan. */
export interface MerchantPull {
  readonly subscription: string;
  readonly plan: string;
  readonly payer: PublicKey;
  readonly amount: bigint;
  /** Default USDC. */
  readonly mint?: PublicKey;
}

/**
 * Signs a pull from a subscriber without dues, as the owner of the plan may.
 *
 * @returns the transaction to send, and its signature
 */
export async function signPull(
  connection: Connection,
  merchant: Keypair,
  pull: MerchantPull,
): Promise<{ readonly wire: Uint8Array; readonly signature: string }> {
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: merchant.publicKey, recentBlockhash: blockhash });
  transaction.add(transferSubscription(merchant.publicKey, pull));
  transaction.sign(merchant);
  const signature = getBase58Decoder().decode(transaction.signature ?? new Uint8Array());
  return { wire: transaction.serialize(), signature };
}

function transferSubscription(
  merchant: PublicKey,
  { subscription, plan, payer, amount, mint = USDC }: MerchantPull,
): TransactionInstructionCtorFields {
  const data = Buffer.alloc(9);
  data.writeUInt8(TRANSFER_SUBSCRIPTION, 0);
  data.writeBigUInt64LE(amount, 1);
  const [authority] = programAddress('SubscriptionAuthority', payer, mint);
  const [eventAuthority] = programAddress('event_authority');
  const readOnly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
  const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
  return {
    programId: PROGRAM,
    keys: [
      writable(new PublicKey(subscription)),
      readOnly(new PublicKey(plan)),
      readOnly(authority),
      writable(getAssociatedTokenAddressSync(mint, payer)),
      writable(getAssociatedTokenAddressSync(mint, merchant)),
      { pubkey: merchant, isSigner: true, isWritable: true },
      readOnly(mint),
      readOnly(new PublicKey(TOKEN_PROGRAM)),
      readOnly(eventAuthority),
      readOnly(PROGRAM),
    ],
    data: Buffer.concat([data, payer.toBuffer(), mint.toBuffer()]),
  };
}

function programAddress(prefix: string, ...keys: readonly PublicKey[]): [PublicKey, number] {
  const seeds = [Buffer.from(prefix), ...keys.map((key) => key.toBuffer())];
  return PublicKey.findProgramAddressSync(seeds, PROGRAM);
}
