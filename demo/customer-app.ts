import {
  type Connection,
  Keypair,
  PublicKey,
  Transaction,
  type TransactionInstructionCtorFields,
  VersionedTransaction,
} from '@solana/web3.js';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const SUBSCRIPTIONS_PROGRAM = new PublicKey('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
/** Of the token program's instructions. */
const REVOKE = 5;
/** Of the subscriptions program's. */
const CLOSE_AUTHORITY = 6;
const SEND_AGAIN_MS = 1_000;

/**
 * A customer's wallet app, as a stranger would write it: `@solana/web3.js` and the HTTP API, nothing of dues' own code.
 */
export class CustomerApp {
  readonly wallet: Keypair;
  readonly #api: string;
  readonly #connection: Connection;
  #checkout:
    | { readonly sessionId: string; readonly subscription: string; readonly signature: string }
    | undefined;

  /** @param wallet a new one where none is given */
  constructor(api: string, connection: Connection, wallet = Keypair.generate()) {
    this.wallet = wallet;
    this.#api = api;
    this.#connection = connection;
  }

  get address(): string {
    return this.wallet.publicKey.toBase58();
  }

  /** Asks what to sign for the checkout, signs and sends it. Answers with the subscription's address. */
  async approve(sessionId: string): Promise<string> {
    const { subscriptionPda: subscription, transactions } = await this.#post<{
      subscriptionPda: string;
      transactions: string[];
    }>(`/api/checkout/${sessionId}/transaction`, { userWallet: this.address });
    const [transaction] = transactions;
    if (!transaction) throw new Error('nothing to sign');
    const signature = await this.#signAndSend(transaction);
    this.#checkout = { sessionId, subscription, signature };
    return subscription;
  }

  /** Tells the API what was done on chain, as an app that is still alive does. */
  async complete(): Promise<void> {
    if (!this.#checkout) throw new Error('nothing was approved');
    const { sessionId, subscription: subscriptionPda, signature } = this.#checkout;
    const userWallet = this.address;
    await this.#post(`/api/checkout/${sessionId}/complete`, { subscriptionPda, userWallet, signature });
  }

  /** Changes the subscription with what the API gives to sign. */
  async change(subscription: string, action: 'cancel' | 'resume' | 'repair_approval'): Promise<void> {
    const path = `/api/subscriptions/${subscription}/transaction`;
    const { transaction } = await this.#post<{ transaction: string }>(path, { action });
    await this.#signAndSend(transaction);
  }

  /** Signs a transaction that somebody else built and sends it; waits until it is confirmed. */
  async #signAndSend(base64: string): Promise<string> {
    const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
    transaction.sign([this.wallet]);
    return this.#land(transaction.serialize());
  }

  /** Where the wallet keeps these tokens. */
  tokenAccount(mint: PublicKey): string {
    const seeds = [this.wallet.publicKey, TOKEN_PROGRAM, mint].map((key) => key.toBuffer());
    return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0].toBase58();
  }

  /** What any other app may do to any token account: takes all approvals back. */
  async revokeApproval(mint: PublicKey): Promise<void> {
    await this.#signOwn({
      programId: TOKEN_PROGRAM,
      keys: [
        { pubkey: new PublicKey(this.tokenAccount(mint)), isSigner: false, isWritable: true },
        { pubkey: this.wallet.publicKey, isSigner: true, isWritable: false },
      ],
      data: Buffer.of(REVOKE),
    });
  }

  /** Takes back for good what all subscriptions of the wallet in this asset go through, without asking dues. */
  async closeAuthority(mint: PublicKey): Promise<void> {
    const seeds = [Buffer.from('SubscriptionAuthority'), this.wallet.publicKey.toBuffer(), mint.toBuffer()];
    const [authority] = PublicKey.findProgramAddressSync(seeds, SUBSCRIPTIONS_PROGRAM);
    await this.#signOwn({
      programId: SUBSCRIPTIONS_PROGRAM,
      keys: [
        { pubkey: this.wallet.publicKey, isSigner: true, isWritable: true },
        { pubkey: authority, isSigner: false, isWritable: true },
      ],
      data: Buffer.of(CLOSE_AUTHORITY),
    });
  }

  /** Signs a transaction of its own making with one instruction. */
  async #signOwn(instruction: TransactionInstructionCtorFields): Promise<void> {
    const { blockhash } = await this.#connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: this.wallet.publicKey, recentBlockhash: blockhash });
    transaction.add(instruction);
    transaction.sign(this.wallet);
    await this.#land(transaction.serialize());
  }

  /** Sends it, again and again as wallets do, until it is confirmed. */
  async #land(wire: Uint8Array): Promise<string> {
    const signature = await this.#connection.sendRawTransaction(wire);
    const { blockhash } = await this.#connection.getLatestBlockhash();
    let sentAt = performance.now();
    for (;;) {
      const { value } = await this.#connection.getSignatureStatus(signature);
      if (value?.err) throw new Error(`the transaction failed: ${JSON.stringify(value.err)}`);
      if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') {
        return signature;
      }
      if (performance.now() - sentAt > SEND_AGAIN_MS) {
        // The one that was the newest when it was sent lives longer than its own.
        const { value: mayLand } = await this.#connection.isBlockhashValid(blockhash);
        if (!mayLand) throw new Error(`the transaction ${signature} was lost`);
        await this.#connection.sendRawTransaction(wire, { skipPreflight: true });
        sentAt = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.#api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as T;
  }
}
