// The merchants' refunds during faults.
//
// 1. A refund is created with an idempotency key. The request is repeated until the API responds.
// 2. The merchant resends the bytes that it signed until they land or have expired, and only then
//    requests another transaction. dues refuses that request if the first transaction has landed.
// 3. `sum-refunds.ts` compares the refunds with the chain, the books and the webhooks.
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { type Connection, Keypair, PublicKey, Transaction, VersionedTransaction } from '@solana/web3.js';
import { USDC_MINT } from '../localnet/genesis.ts';
import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { landTransaction, TransactionLost } from '../tools/land-transaction.ts';
import type { Refund, RefundRequest } from '../tools/world/merchant.ts';
import { type Customers, FULL_BALANCE, LAMPORTS } from './customers.ts';
import type { RefundOrder } from './refund-schedule.ts';
import { repeatUntilDone } from './repeat-until-done.ts';
import { PRICE } from './schedule.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

const MINT = new PublicKey(USDC_MINT);
const DECIMALS = 6;
const CONCURRENCY = 8;
/** Amount of the first of two partial refunds. */
const FIRST_PART_AMOUNT = 1_000_000n;

/** A refund that its merchant has sent. */
export interface ChaosRefund extends Omit<Refund, 'id' | 'reference'> {
  /** New if the refund was lost and is requested again, like `reference`. */
  id: string;
  reference: string;
  readonly order: RefundOrder;
  readonly request: RefundRequest & { readonly paymentId: string };
  readonly merchant: ChaosMerchant;
  readonly subscription: string;
  readonly paymentId: string;
}

/** A request that was answered with a refund. */
export interface AnsweredRefund {
  readonly id: string;
  readonly merchant: ChaosMerchant;
  /** In milliseconds of the chain's time. */
  readonly atMs: number;
}

/** All refunds of a run. */
export class ChaosRefunds {
  readonly all: ChaosRefund[] = [];
  readonly answered: AnsweredRefund[] = [];
  readonly #world: ChaosWorld;
  readonly #customers: Customers;
  readonly #orders: readonly RefundOrder[];
  readonly #connection: Connection;
  readonly #stranger = Keypair.generate();

  constructor(world: ChaosWorld, customers: Customers, orders: readonly RefundOrder[]) {
    this.#world = world;
    this.#customers = customers;
    this.#orders = orders;
    this.#connection = customers.connection;
  }

  /** Gives SOL and tokens to the stranger, who sends transfers with the references of refunds. */
  async fund(): Promise<void> {
    const stranger = this.#stranger.publicKey.toBase58();
    await this.#world.network.client.setLamports(stranger, LAMPORTS);
    await this.#world.network.client.setTokens(stranger, FULL_BALANCE);
  }

  /** Sends the refunds of a window, and resolves when they have landed. */
  async sendRefundsOf(round: number, window: RefundOrder['window']): Promise<void> {
    const orders = this.#orders.filter((order) => order.round === round && order.window === window);
    await mapConcurrently(orders, CONCURRENCY, (order) => this.#refund(order));
  }

  async #refund(order: RefundOrder): Promise<void> {
    const amounts = order.kind === 'in two parts' ? [FIRST_PART_AMOUNT, PRICE - FIRST_PART_AMOUNT] : [PRICE];
    const refunds: ChaosRefund[] = [];
    for (const amount of amounts) {
      const refund = await this.#create(order, amount);
      refunds.push(refund);
      this.all.push(refund);
    }
    await Promise.all(refunds.map((refund) => this.#send(refund)));
  }

  /** Repeats every request, because the service was restored. What it still has stays as it is. */
  async requestAgain(): Promise<void> {
    // One after the other, in their order: the index of a refund decides its reference.
    for (const refund of this.all) {
      const { id, reference } = await this.#request(refund.merchant, refund.request);
      Object.assign(refund, { id, reference });
    }
  }

  async #request(merchant: ChaosMerchant, request: RefundRequest): Promise<Refund> {
    const refund = await this.#repeat(() => merchant.backend.createRefund(request));
    if (!refund) throw new Error('the refund was not created');
    this.answered.push({ id: refund.id, merchant, atMs: this.#world.network.nowMs() });
    return refund;
  }

  async #send(refund: ChaosRefund): Promise<void> {
    switch (refund.order.kind) {
      case 'by link':
        return this.#payLink(refund);
      case 'lost at first':
        await this.#sign(refund);
        return this.#payTransaction(refund);
      case 'sent twice': {
        const wire = await this.#sign(refund);
        await Promise.all([this.#payLink(refund), wire && this.#land(wire)]);
        return;
      }
      case 'cancelled, and sent nevertheless': {
        const isDone = async () => (await refund.merchant.backend.refund(refund.id)).status === 'CANCELLED';
        await this.#repeat(() => refund.merchant.backend.cancelRefund(refund.id), isDone);
        return this.#payLink(refund);
      }
      case 'among strangers':
        await this.#disturb(refund, 1n);
        await this.#disturb(refund, PRICE);
        await this.#payTransaction(refund);
        return this.#disturb(refund, PRICE);
      default:
        return this.#payTransaction(refund);
    }
  }

  async #create(order: RefundOrder, amount: bigint): Promise<ChaosRefund> {
    const customer = this.#customers.all[order.customer];
    if (!customer) throw new Error(`there is no customer ${order.customer}`);
    const { merchant, subscription } = customer;
    const { backend } = merchant;
    const payment = await this.#repeat(() => backend.firstPayment(subscription));
    const paymentId = payment?.id ?? '';
    const request = { paymentId, amount: String(amount), idempotencyKey: `${paymentId} ${amount}` };
    const refund = await this.#request(merchant, request);
    return { ...refund, order, request, merchant, subscription, paymentId };
  }

  /** Requests another transaction only after the previous one has expired. */
  async #payTransaction(refund: ChaosRefund): Promise<void> {
    for (;;) {
      const wire = await this.#sign(refund);
      if (!wire || (await this.#land(wire))) return;
    }
  }

  /** Sends the refund as a wallet that opens the Solana Pay link does. */
  async #payLink({ merchant, recipient, reference, amount }: ChaosRefund): Promise<void> {
    await this.#transfer(merchant.keypair, recipient, BigInt(amount), reference);
  }

  async #disturb({ recipient, reference }: ChaosRefund, amount: bigint): Promise<void> {
    await this.#transfer(this.#stranger, recipient, amount, reference);
  }

  async #transfer(from: Keypair, to: string, amount: bigint, reference: string): Promise<void> {
    const [source, destination] = [from.publicKey, new PublicKey(to)].map((wallet) =>
      getAssociatedTokenAddressSync(MINT, wallet),
    ) as [PublicKey, PublicKey];
    const transfer = createTransferCheckedInstruction(
      source,
      MINT,
      destination,
      from.publicKey,
      amount,
      DECIMALS,
    );
    transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
    for (;;) {
      const latest = await this.#repeat(() => this.#connection.getLatestBlockhash());
      const { blockhash = '' } = latest ?? {};
      const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash });
      transaction.add(transfer).sign(from);
      if (await this.#land(transaction.serialize())) return;
    }
  }

  /** Returns the signed transaction of a refund, or undefined if an earlier one has landed. */
  async #sign(refund: ChaosRefund): Promise<Uint8Array | undefined> {
    const { backend, keypair } = refund.merchant;
    const isDone = async () => (await backend.refund(refund.id)).status === 'SUCCEEDED';
    const unsigned = await this.#repeat(() => backend.refundTransaction(refund.id), isDone);
    if (unsigned === undefined) return undefined;
    const transaction = VersionedTransaction.deserialize(Buffer.from(unsigned, 'base64'));
    transaction.sign([keypair]);
    return transaction.serialize();
  }

  /** Resends the transaction until it has landed or expired. Returns whether it has landed. */
  async #land(wire: Uint8Array): Promise<boolean> {
    const { tally } = this.#world;
    const isHopeless = (error: unknown) => error instanceof TransactionLost;
    // Preflight is skipped, because nodes refuse to simulate a transaction that has landed.
    const act = () => landTransaction(this.#connection, wire, { skipPreflight: true });
    try {
      await repeatUntilDone(tally, act, { isHopeless });
      return true;
    } catch (error) {
      if (!isHopeless(error)) throw error;
      tally.add('refund transactions expired');
      return false;
    }
  }

  #repeat<T>(act: () => Promise<T>, isDone?: () => Promise<boolean>): Promise<T | undefined> {
    return repeatUntilDone(this.#world.tally, act, isDone && { isDone });
  }
}
