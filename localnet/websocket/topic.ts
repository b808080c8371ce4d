import { type Address, isAddress } from '@solana/kit';
import type { AccountWrite, Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import type { SlotUpdate } from '../network-events.ts';
import { invalidParams, stringOf } from '../rpc/params.ts';

/** One thing that somebody listens to. Everybody who asked for the same shares it. */
export interface Watch<Params> {
  readonly params: Params;
  /** Sends `result` to all who listen. */
  notify(result: unknown): void;
  /** The last word has been said: the subscription is gone without being ended by its listeners. */
  end(): void;
}

/**
 * One kind of subscription: `<name>Subscribe` begins it, `<name>Unsubscribe` ends it and its messages are
 * `<name>Notification`. A topic knows its watches and what to tell them; connections and ids are no matter of its.
 */
export interface Topic<Params = unknown> {
  readonly name: string;
  /** The least and the most params that it takes. */
  readonly arity: readonly [least: number, most: number];
  /**
   * Checks what the client sent. Equal answers make one watch, so everything that matters must be in it, as JSON.
   *
   * @throws RpcError
   */
  parse(params: readonly unknown[]): Params;
  /** Called for everybody who begins to listen, so maybe several times for a watch. Says nothing by itself yet. */
  add(watch: Watch<Params>): void;
  remove(watch: Watch<Params>): void;
  writesReached?(commitment: Commitment, slot: number, writes: Iterable<AccountWrite>): void;
  transactionsReached?(commitment: Commitment, slot: number, records: readonly TransactionRecord[]): void;
  slotChanged?(update: SlotUpdate): void;
}

/** An address as every subscription but to a signature names it; `thing` is what a cluster calls it. */
export function addressIn(value: unknown, thing: string): Address {
  const text = stringOf(value);
  if (!isAddress(text)) throw invalidParams(`Invalid Request: Invalid ${thing} provided`);
  return text;
}

/** A result that belongs to a slot, as all but those of slots and roots do. */
export function inContext(slot: number, value: unknown): unknown {
  return { context: { slot }, value };
}
