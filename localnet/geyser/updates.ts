import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import type { AccountWrite } from '../accounts.ts';
import type { Block, TransactionRecord } from '../ledger.ts';
import type { SlotUpdate } from '../network-events.ts';

interface Told {
  readonly slot: number;
  readonly createdAt: Date;
  /**
   * What was already encoded, by shape and filter names, so that streams which ask for the same share one buffer.
   * Null once the slot is final: from then on only a replay asks, and the memory is worth more.
   */
  wire: Map<string, Uint8Array> | null;
}

export interface AccountUpdate extends Told {
  readonly kind: 'account';
  readonly write: AccountWrite;
}

export interface TransactionUpdate extends Told {
  readonly kind: 'transaction';
  readonly record: TransactionRecord;
}

/** A block has one entry here: proof of history is not simulated. */
export interface EntryUpdate extends Told {
  readonly kind: 'entry';
  readonly block: Block;
}

export interface BlockUpdate extends Told {
  readonly kind: 'block';
  readonly block: Block;
  /** The last write of each account in the block. */
  readonly accounts: readonly AccountWrite[];
}

export interface BlockMetaUpdate extends Told {
  readonly kind: 'blockMeta';
  readonly block: Block;
}

export interface SlotStatusUpdate extends Told {
  readonly kind: 'slot';
  readonly update: SlotUpdate;
}

/** One thing the network tells, before any stream's filter has looked at it. */
export type Update =
  | AccountUpdate
  | TransactionUpdate
  | EntryUpdate
  | BlockUpdate
  | BlockMetaUpdate
  | SlotStatusUpdate;

/** How a stream wants to see an update of one kind; `key` is the same for shapes that look the same. */
export interface Shape<U extends Update = Update> {
  readonly key: string;
  readonly build: (update: U) => Partial<SubscribeUpdate>;
}

/** The wire bytes of a SubscribeUpdate: the update in that shape, under the names of the filters it matched. */
export function encodeUpdate<U extends Update>(
  update: U,
  shape: Shape<U>,
  filters: readonly string[],
): Uint8Array {
  const whole = JSON.stringify([shape.key, ...filters]);
  const known = update.wire?.get(whole);
  if (known) return known;
  let body = update.wire?.get(shape.key);
  if (!body) {
    body = encodeBare({ createdAt: update.createdAt, ...shape.build(update) });
    update.wire?.set(shape.key, body);
  }
  // Protobuf messages are joined by joining their bytes, so the same body serves every set of names.
  const bytes = Buffer.concat([encodeBare({ filters: [...filters] }), body]);
  update.wire?.set(whole, bytes);
  return bytes;
}

/** An update that no filter asked for: ping and pong. */
export function encodeBare(fields: Partial<SubscribeUpdate>): Uint8Array {
  return SubscribeUpdate.encode({ filters: [], createdAt: undefined, ...fields }).finish();
}
