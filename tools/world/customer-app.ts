import {
  type Connection,
  Keypair,
  PublicKey,
  Transaction,
  type TransactionInstructionCtorFields,
  VersionedTransaction,
} from '@solana/web3.js';
import { landTransaction } from '../land-transaction.ts';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const SUBSCRIPTIONS_PROGRAM = new PublicKey('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
/** Discriminator of the token program's instruction. */
const REVOKE = 5;
/** Discriminator of the subscriptions program's instruction. */
const CLOSE_AUTHORITY = 6;

/**
 * A customer's wallet app, written as an outside developer would write it: with `@solana/web3.js`
 * and the HTTP API, without code of dues.
 */
export class CustomerApp {
  readonly wallet: Keypair;
  readonly #api: string;
  readonly #connection: Connection;
  #checkout:
    | { readonly sessionId: string; readonly subscription: string; readonly signature: string }
    | undefined;

  /** @param wallet default: a new one */
  constructor(api: string, connection: Connection, wallet = Keypair.generate()) {
    this.wallet = wallet;
    this.#api = api;
    this.#connection = connection;
  }

  get address(): string {
    return this.wallet.publicKey.toBase58();
  }

  /**
   * Requests the transactions of a checkout, signs and sends them. Returns the subscription's
   * address.
   */
  async approve(sessionId: string): Promise<string> {
    const { subscriptionPda: subscription, transactions } = await this.#post<{
      subscriptionPda: string;
      transactions: string[];
    }>(`/api/checkout/${sessionId}/transaction`, { userWallet: this.address });
    const [transaction] = transactions;
    if (!transaction) throw new Error('the API returned no transaction');
    const signature = await this.#signAndSend(transaction);
    this.#checkout = { sessionId, subscription, signature };
    return subscription;
  }

  /** Asks for the transactions of a checkout, and signs none of them. */
  async ask(sessionId: string): Promise<void> {
    await this.#post(`/api/checkout/${sessionId}/transaction`, { userWallet: this.address });
  }

  /** Enters the code of a discount. */
  async enterCode(sessionId: string, code: string): Promise<void> {
    await this.#post(`/api/checkout/${sessionId}/discount`, { code });
  }

  /** Goes on without the discount that a checkout shows. */
  async removeDiscount(sessionId: string): Promise<void> {
    await this.#send('DELETE', `/api/checkout/${sessionId}/discount`);
  }

  /** Reports the subscription to the API. An app that was closed after `approve` does not. */
  async complete(): Promise<void> {
    if (!this.#checkout) throw new Error('`approve` must be called first');
    const { sessionId, subscription: subscriptionPda, signature } = this.#checkout;
    const userWallet = this.address;
    await this.#post(`/api/checkout/${sessionId}/complete`, { subscriptionPda, userWallet, signature });
  }

  /** Changes the subscription with a transaction from the API. */
  async change(subscription: string, action: 'cancel' | 'resume' | 'repair_approval'): Promise<void> {
    const path = `/api/subscriptions/${subscription}/transaction`;
    const { transaction } = await this.#post<{ transaction: string }>(path, { action });
    await this.#signAndSend(transaction);
  }

  /** Signs and sends a transaction from the API, and waits until it is confirmed. */
  async #signAndSend(base64: string): Promise<string> {
    const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
    transaction.sign([this.wallet]);
    return landTransaction(this.#connection, transaction.serialize());
  }

  /** The wallet's token account of a mint. */
  tokenAccount(mint: PublicKey): string {
    const seeds = [this.wallet.publicKey, TOKEN_PROGRAM, mint].map((key) => key.toBuffer());
    return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0].toBase58();
  }

  /** Revokes the approval of the wallet's token account, as any other app could. */
  async revokeApproval(mint: PublicKey): Promise<void> {
    await this.#sendInstruction({
      programId: TOKEN_PROGRAM,
      keys: [
        { pubkey: new PublicKey(this.tokenAccount(mint)), isSigner: false, isWritable: true },
        { pubkey: this.wallet.publicKey, isSigner: true, isWritable: false },
      ],
      data: Buffer.of(REVOKE),
    });
  }

  /** Closes the authority of all the wallet's subscriptions in a token, without dues. */
  async closeAuthority(mint: PublicKey): Promise<void> {
    const seeds = [Buffer.from('SubscriptionAuthority'), this.wallet.publicKey.toBuffer(), mint.toBuffer()];
    const [authority] = PublicKey.findProgramAddressSync(seeds, SUBSCRIPTIONS_PROGRAM);
    await this.#sendInstruction({
      programId: SUBSCRIPTIONS_PROGRAM,
      keys: [
        { pubkey: this.wallet.publicKey, isSigner: true, isWritable: true },
        { pubkey: authority, isSigner: false, isWritable: true },
      ],
      data: Buffer.of(CLOSE_AUTHORITY),
    });
  }

  /** Sends a transaction with one instruction that the app has built itself. */
  async #sendInstruction(instruction: TransactionInstructionCtorFields): Promise<void> {
    const { blockhash } = await this.#connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: this.wallet.publicKey, recentBlockhash: blockhash });
    transaction.add(instruction);
    transaction.sign(this.wallet);
    await landTransaction(this.#connection, transaction.serialize());
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#send('POST', path, body);
  }

  async #send<T>(method: 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#api}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const content = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(content)}`);
    return content as T;
  }
}
