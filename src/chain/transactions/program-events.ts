import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { EVENT_AUTHORITY, NO_ADDRESS, PROGRAM } from '../accounts/addresses.ts';
import { addressAt, i64At, termAt } from '../accounts/fields.ts';
import type { ChainInstruction, ChainTransaction } from '../rpc/chain-transaction.ts';

/**
 * Index of the event among all inner instructions of its transaction. With the signature it
 * identifies the event.
 */
interface Indexed {
  readonly index: number;
}

export interface SubscriptionCreated extends Indexed {
  readonly type: 'created';
  readonly plan: Address;
  readonly subscriber: Address;
  readonly mint: Address;
  /** Distinguishes this subscription from others at the address. */
  readonly createdAt: bigint;
}

export interface SubscriptionCancelled extends Indexed {
  readonly type: 'cancelled';
  readonly plan: Address;
  readonly subscriber: Address;
  readonly expiresAt: bigint;
}

export interface SubscriptionTransfer extends Indexed {
  readonly type: 'transfer';
  readonly subscription: Address;
  readonly plan: Address;
  readonly subscriber: Address;
  readonly mint: Address;
  readonly amount: bigint;
  readonly periodStart: bigint;
  readonly periodEnd: bigint;
  /** Total pulled in this period, with this transfer. */
  readonly pulled: bigint;
  /** The puller; `null` if this release of the program does not report it. */
  readonly puller: Address | null;
}

export interface SubscriptionResumed extends Indexed {
  readonly type: 'resumed';
  readonly plan: Address;
  readonly subscriber: Address;
  readonly resumedAt: bigint;
}

export interface PlanUpdated extends Indexed {
  readonly type: 'planUpdated';
  readonly plan: Address;
  readonly owner: Address;
  readonly active: boolean;
  /** 0 if it has no end. */
  readonly endsAt: bigint;
  readonly pullers: readonly Address[];
}

/** Events of the program. Times in unix seconds, amounts in base units. */
export type ProgramEvent =
  | SubscriptionCreated
  | SubscriptionCancelled
  | SubscriptionTransfer
  | SubscriptionResumed
  | PlanUpdated;

/** A known event has too few bytes: dues does not support this release of the program. */
export class EventLayoutError extends Error {
  override name = 'EventLayoutError';
}

const EVENT_TAG = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];

interface Field<T> {
  readonly bytes: number;
  readonly read: (data: ReadonlyUint8Array, at: number) => T;
}

const address: Field<Address> = { bytes: 32, read: addressAt };
const term: Field<bigint | null> = { bytes: 8, read: termAt };
const i64: Field<bigint> = { bytes: 8, read: i64At };
const u8: Field<number> = { bytes: 1, read: (data, at) => data[at] ?? 0 };

/**
 * Decodes the events of a transaction, in order. The program emits an event by calling itself with
 * the signature of the event authority. Instructions and logs of other programs can contain the
 * same bytes and are ignored. A failed transaction has no events, although its instructions are
 * still listed. Bytes after the known fields are ignored. Transfers of larger amounts than a plan
 * of dues can have are left out: anyone may create a token and a plan for them.
 *
 * @throws EventLayoutError
 */
export function decodeEvents({ err, instructions }: ChainTransaction): ProgramEvent[] {
  if (err) return [];
  return instructions.flatMap((instruction) => {
    const { innerIndex } = instruction;
    if (innerIndex === null || !isEvent(instruction)) return [];
    const { data } = instruction;
    const event = decodeEvent(data[EVENT_TAG.length], new Fields(data), innerIndex);
    return event ? [event] : [];
  });
}

/** The data is decoded only if the program and the authority are the right ones. */
function isEvent(instruction: ChainInstruction): boolean {
  const { program, accounts } = instruction;
  if (program !== PROGRAM || accounts[0] !== EVENT_AUTHORITY) return false;
  return EVENT_TAG.every((byte, at) => instruction.data[at] === byte);
}

function decodeEvent(kind: number | undefined, fields: Fields, index: number): ProgramEvent | null {
  // Object literals are evaluated in order, which is the order of the fields.
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
        pullers: [0, 1, 2, 3].flatMap(() => fields.nextIfPresent(address) ?? []).filter(isSet),
      };
    default:
      // An event of one-off and recurring delegations (3, 4), or a newer one.
      return null;
  }
}

function decodeTransfer(fields: Fields, index: number): SubscriptionTransfer | null {
  const transfer = {
    type: 'transfer',
    index,
    subscription: fields.next(address),
    plan: fields.next(address),
    subscriber: fields.next(address),
    mint: fields.next(address),
    amount: fields.next(term),
    periodStart: fields.next(i64),
    periodEnd: fields.next(i64),
    pulled: fields.next(term),
  } as const;
  // Skips the receiver and its token account.
  fields.skip(address);
  fields.skip(address);
  const puller = fields.nextIfPresent(address);
  const { amount, pulled } = transfer;
  return amount === null || pulled === null ? null : { ...transfer, amount, pulled, puller };
}

/** Offset of the receiver in a transfer event, after four addresses and four numbers. */
const RECEIVER_AT = EVENT_TAG.length + 1 + 4 * 32 + 4 * 8;

/**
 * The owner of the token account that a transfer went to. `decodeEvents` skips it, because encoding
 * an address is slow and settling does not need it.
 */
export function receiverOf(
  { instructions }: Pick<ChainTransaction, 'instructions'>,
  { index }: Indexed,
): Address | undefined {
  const event = instructions.find(({ innerIndex }) => innerIndex === index);
  return event && addressAt(event.data, RECEIVER_AT);
}

function isSet(candidate: Address): boolean {
  return candidate !== NO_ADDRESS;
}

/** Reads packed fields in order. */
class Fields {
  readonly #data: ReadonlyUint8Array;
  #offset = EVENT_TAG.length + 1;

  constructor(data: ReadonlyUint8Array) {
    this.#data = data;
  }

  next<T>(field: Field<T>): T {
    if (!this.#has(field)) {
      const kind = this.#data[EVENT_TAG.length];
      throw new EventLayoutError(
        `Event ${kind} ends after ${this.#data.length} bytes, before its last known field`,
      );
    }
    return this.#read(field);
  }

  nextIfPresent<T>(field: Field<T>): T | null {
    return this.#has(field) ? this.#read(field) : null;
  }

  skip({ bytes }: Field<unknown>): void {
    this.#offset += bytes;
  }

  #has({ bytes }: Field<unknown>): boolean {
    return this.#offset + bytes <= this.#data.length;
  }

  #read<T>({ bytes, read }: Field<T>): T {
    const value = read(this.#data, this.#offset);
    this.#offset += bytes;
    return value;
  }
}
