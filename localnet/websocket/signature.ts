import { isSignature } from '@solana/kit';
import type { Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import type { Network } from '../network.ts';
import { commitmentOf } from '../rpc/context.ts';
import { booleanOf, configOf, invalidParams, stringOf } from '../rpc/params.ts';
import { type Topic, type Watch, withSlot } from './topic.ts';
import { WatchIndex } from './watch-index.ts';

interface SignatureParams {
  readonly signature: string;
  readonly commitment: Commitment;
  readonly enableReceivedNotification: boolean;
}

/**
 * Delay of a notification about a transaction that landed before the subscription. It must not
 * arrive in the same read as the response: @solana/kit listens only after it has processed the
 * response, and on a cluster the next slot comes much later.
 */
const CATCH_UP_MS = 50;
const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/**
 * signatureSubscribe: `[signature, {commitment, enableReceivedNotification}]`. It reports the
 * transaction's error, or null, once: when the transaction reaches the commitment, or soon after
 * the subscription begins if it already has. Then the subscription ends. With
 * `enableReceivedNotification` it first reports "receivedSignature" when the transaction is
 * processed.
 */
export class SignatureTopic implements Topic<SignatureParams> {
  readonly name = 'signature';
  readonly arity = [1, 2] as const;
  #network: Network;
  #waiting = new WatchIndex<string, SignatureParams>(({ signature }) => signature);
  #catchingUp = new Map<Watch<SignatureParams>, NodeJS.Timeout>();

  constructor(network: Network) {
    this.#network = network;
  }

  parse([value, config]: readonly unknown[]): SignatureParams {
    const signature = stringOf(value);
    const settings = configOf(config);
    const enableReceivedNotification = booleanOf(settings.enableReceivedNotification, false);
    const commitment = commitmentOf(settings.commitment);
    if (!isSignature(signature)) throw invalidParams('Invalid Request: Invalid signature provided');
    return { signature, commitment, enableReceivedNotification };
  }

  add(watch: Watch<SignatureParams>): void {
    const { signature, commitment } = watch.params;
    const landed = this.#network.ledger.transaction(signature);
    if (!landed || landed.slot > this.#network.slot(commitment)) {
      this.#waiting.add(watch);
      return;
    }
    clearTimeout(this.#catchingUp.get(watch));
    const notify = () => notifyOfOutcome(watch, this.#network.slot(commitment), landed);
    this.#catchingUp.set(watch, setTimeout(notify, CATCH_UP_MS));
  }

  remove(watch: Watch<SignatureParams>): void {
    this.#waiting.remove(watch);
    clearTimeout(this.#catchingUp.get(watch));
    this.#catchingUp.delete(watch);
  }

  transactionsReached(commitment: Commitment, slot: number, records: readonly TransactionRecord[]): void {
    if (commitment === 'processed') this.#notifyOfArrival(slot, records);
    if (this.#waiting.isEmpty(commitment)) return;
    for (const record of records) {
      for (const watch of this.#waiting.get(commitment, record.signature))
        notifyOfOutcome(watch, slot, record);
    }
  }

  // On this network a transaction that arrives is processed at once.
  #notifyOfArrival(slot: number, records: readonly TransactionRecord[]): void {
    for (const commitment of COMMITMENTS) {
      if (this.#waiting.isEmpty(commitment)) continue;
      for (const { signature } of records) {
        for (const watch of this.#waiting.get(commitment, signature)) {
          if (watch.params.enableReceivedNotification) watch.notify(withSlot(slot, 'receivedSignature'));
        }
      }
    }
  }
}

function notifyOfOutcome(watch: Watch<SignatureParams>, slot: number, { err }: TransactionRecord): void {
  watch.notify(withSlot(slot, { err }));
  watch.end();
}
