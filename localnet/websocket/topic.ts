import { type Address, isAddress } from '@solana/kit';
import type { AccountWrite, Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import type { SlotUpdate } from '../network-events.ts';
import { invalidParams, stringOf } from '../rpc/params.ts';

/** The parameters of a subscription, shared by all equal requests. */
export interface Watch<Params> {
  readonly params: Params;
  /** Sends `result` to all subscribers. */
  notify(result: unknown): void;
  /** Ends the subscription from the server's side, after its last notification. */
  end(): void;
}

/**
 * One kind of subscription: `<name>Subscribe`, `<name>Unsubscribe`, and the notifications
 * `<name>Notification`. A topic has watches and sends their notifications. Connections and ids are
 * kept elsewhere.
 */
export interface Topic<Params = unknown> {
  readonly name: string;
  /** Minimum and maximum number of params. */
  readonly arity: readonly [min: number, max: number];
  /**
   * Validates the params. Requests with equal results share one watch, so the result must contain
   * everything that distinguishes them, as JSON.
   *
   * @throws RpcError
   */
  parse(params: readonly unknown[]): Params;
  /**
   * Called for every new subscriber, so possibly several times per watch. It must not notify before
   * it returns.
   */
  add(watch: Watch<Params>): void;
  remove(watch: Watch<Params>): void;
  writesReached?(commitment: Commitment, slot: number, writes: Iterable<AccountWrite>): void;
  transactionsReached?(commitment: Commitment, slot: number, records: readonly TransactionRecord[]): void;
  slotChanged?(update: SlotUpdate): void;
}

/** Parses an address parameter; `paramName` is the cluster's name for it. */
export function parseAddress(value: unknown, paramName: string): Address {
  const text = stringOf(value);
  if (!isAddress(text)) throw invalidParams(`Invalid Request: Invalid ${paramName} provided`);
  return text;
}

/** A result with its slot. All notifications have one, except those of slots and roots. */
export function withSlot(slot: number, value: unknown): unknown {
  return { context: { slot }, value };
}
