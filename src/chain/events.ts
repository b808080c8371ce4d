import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { EVENT_AUTHORITY, NO_ADDRESS, PROGRAM } from './addresses.ts';
import type { ChainInstruction, ChainTransaction } from './chain-transaction.ts';
import { addressAt, i64At, u64At } from './fields.ts';

/** Where an event stands among all inner instructions of its transaction: with the signature, its identity. */
interface Placed {
  readonly index: number;
}

export interface SubscriptionCreated extends Placed {
  readonly type: 'created';
  readonly plan: Address;
  readonly subscriber: Address;
  readonly mint: Address;
  /** Tells this life of the address from another. */
  readonly createdAt: bigint;
}

export interface SubscriptionCancelled extends Placed {
  readonly type: 'cancelled';
  readonly plan: Address;
  readonly subscriber: Address;
  readonly expiresAt: bigint;
}

export interface SubscriptionTransfer extends Placed {
  readonly type: 'transfer';
  readonly subscription: Address;
  readonly plan: Address;
  readonly subscriber: Address;
  readonly mint: Address;
  readonly amount: bigint;
  readonly periodStart: bigint;
  readonly periodEnd: bigint;
  /** In this period so far, this transfer included. */
  readonly pulled: bigint;
  /** Who asked for it; `null` where the program is too old to tell. */
  readonly puller: Address | null;
}

export interface SubscriptionResumed extends Placed {
  readonly type: 'resumed';
  readonly plan: Address;
  readonly subscriber: Address;
  readonly resumedAt: bigint;
}

export interface PlanUpdated extends Placed {
  readonly type: 'planUpdated';
  readonly plan: Address;
  readonly owner: Address;
  readonly active: boolean;
  /** 0 where it has no end. */
  readonly endsAt: bigint;
  readonly pullers: readonly Address[];
}

/** What the program says happened. Times in unix seconds, money in base units. */
export type ProgramEvent =
  | SubscriptionCreated
  | SubscriptionCancelled
  | SubscriptionTransfer
  | SubscriptionResumed
  | PlanUpdated;

/** An event that is known but too short to be read: the program is older or newer than dues can follow. */
export class EventLayoutError extends Error {
  override name = 'EventLayoutError';
}

const EVENT_TAG = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];

interface Field<T> {
  readonly bytes: number;
  readonly read: (data: ReadonlyUint8Array, at: number) => T;
}

const address: Field<Address> = { bytes: 32, read: addressAt };
const u64: Field<bigint> = { bytes: 8, read: u64At };
const i64: Field<bigint> = { bytes: 8, read: i64At };
const u8: Field<number> = { bytes: 1, read: (data, at) => data[at] ?? 0 };

/**
 * What happened in a transaction, in order. An event is the program calling itself with the event authority's
 * signature; anyone can write the same bytes into another program's instruction or a log. A failed transaction keeps
 * the instructions that were undone, and has no events. Bytes behind the known fields are left alone.
 *
 * @throws EventLayoutError
 */
export function decodeEvents({ err, instructions }: ChainTransaction): ProgramEvent[] {
  if (err) return [];
  return instructions.flatMap((instruction) => {
    const { innerIndex, data } = instruction;
    if (innerIndex === null || !isEvent(instruction)) return [];
    const event = decodeEvent(data[EVENT_TAG.length], new Fields(data), innerIndex);
    return event ? [event] : [];
  });
}

function isEvent({ program, accounts, data }: ChainInstruction): boolean {
  return (
    program === PROGRAM && accounts[0] === EVENT_AUTHORITY && EVENT_TAG.every((byte, at) => data[at] === byte)
  );
}

function decodeEvent(kind: number | undefined, fields: Fields, index: number): ProgramEvent | null {
  // Object literals are evaluated in order, and that is the order of the fields.
  switch (kind) {
    case 0:
      return {
        type: 'created',
        index,
        plan: fields.next(address),
        subscriber: fields.next(address),
        mint: fields.next(address),
        createdAt: fields.next(i64),
      };
    case 1:
      return {
        type: 'cancelled',
        index,
        plan: fields.next(address),
        subscriber: fields.next(address),
        expiresAt: fields.next(i64),
      };
    case 2:
      return decodeTransfer(fields, index);
    case 5:
      return {
        type: 'resumed',
        index,
        plan: fields.next(address),
        subscriber: fields.next(address),
        resumedAt: fields.next(i64),
      };
    case 6:
      return {
        type: 'planUpdated',
        index,
        plan: fields.next(address),
        owner: fields.next(address),
        active: fields.next(u8) === 1,
        endsAt: fields.next(i64),
        pullers: [0, 1, 2, 3].flatMap(() => fields.nextIfThere(address) ?? []).filter(isAddressSet),
      };
    default:
      // Of one-off and recurring delegations (3, 4), or newer than dues.
      return null;
  }
}

function decodeTransfer(fields: Fields, index: number): SubscriptionTransfer {
  const transfer = {
    type: 'transfer',
    index,
    subscription: fields.next(address),
    plan: fields.next(address),
    subscriber: fields.next(address),
    mint: fields.next(address),
    amount: fields.next(u64),
    periodStart: fields.next(i64),
    periodEnd: fields.next(i64),
    pulled: fields.next(u64),
  } as const;
  // The receiver and its token account.
  fields.skip(address);
  fields.skip(address);
  return { ...transfer, puller: fields.nextIfThere(address) };
}

function isAddressSet(candidate: Address): boolean {
  return candidate !== NO_ADDRESS;
}

/** Reads packed fields one behind the other. */
class Fields {
  readonly #data: ReadonlyUint8Array;
  #offset = EVENT_TAG.length + 1;

  constructor(data: ReadonlyUint8Array) {
    this.#data = data;
  }

  next<T>(field: Field<T>): T {
    const value = this.nextIfThere(field);
    if (value === null) {
      const kind = this.#data[EVENT_TAG.length];
      throw new EventLayoutError(
        `Event ${kind} ends after ${this.#data.length} bytes, before its last known field`,
      );
    }
    return value;
  }

  nextIfThere<T>({ bytes, read }: Field<T>): T | null {
    if (this.#offset + bytes > this.#data.length) return null;
    const value = read(this.#data, this.#offset);
    this.#offset += bytes;
    return value;
  }

  skip({ bytes }: Field<unknown>): void {
    this.#offset += bytes;
  }
}
