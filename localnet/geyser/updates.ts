import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import type { AccountWrite } from '../accounts.ts';
import type { Block, TransactionRecord } from '../ledger.ts';
import type { SlotUpdate } from '../network-events.ts';

interface UpdateFields {
  readonly slot: number;
  /** A date is created when the update is encoded: most updates of most networks never are. */
  readonly createdAtMs: number;
  /**
   * Encoded messages by shape and filter names, so that streams with the same request share one
   * buffer. Undefined before the first one. Null after the slot is finalized, to save memory: after
   * that only replays encode the update.
   */
  wire: Map<string, Uint8Array> | null | undefined;
}

export interface AccountUpdate extends UpdateFields {
  readonly kind: 'account';
  readonly write: AccountWrite;
}

export interface TransactionUpdate extends UpdateFields {
  readonly kind: 'transaction';
  readonly record: TransactionRecord;
}

/** A block has one entry here, because proof of history is not simulated. */
export interface EntryUpdate extends UpdateFields {
  readonly kind: 'entry';
  readonly block: Block;
}

export interface BlockUpdate extends UpdateFields {
  readonly kind: 'block';
  readonly block: Block;
  /** The last write of each account in the block. */
  readonly accounts: readonly AccountWrite[];
}

export interface BlockMetaUpdate extends UpdateFields {
  readonly kind: 'blockMeta';
  readonly block: Block;
}

export interface SlotStatusUpdate extends UpdateFields {
  readonly kind: 'slot';
  readonly update: SlotUpdate;
}

/** One event of the network, before any filter. */
export type Update =
  | AccountUpdate
  | TransactionUpdate
  | EntryUpdate
  | BlockUpdate
  | BlockMetaUpdate
  | SlotStatusUpdate;

/** The form in which a stream receives updates of one kind; `key` is the same for equal shapes. */
export interface Shape<U extends Update = Update> {
  readonly key: string;
  readonly build: (update: U) => Partial<SubscribeUpdate>;
}

/**
 * Encodes the update as a SubscribeUpdate in this shape, with the names of the matching filters.
 */
export function encodeUpdate<U extends Update>(
  update: U,
  shape: Shape<U>,
  filters: readonly string[],
): Uint8Array {
  const messageKey = JSON.stringify([shape.key, ...filters]);
  const cached = update.wire?.get(messageKey);
  if (cached) return cached;
  let body = update.wire?.get(shape.key);
  if (!body) {
    body = encodeBare({ createdAt: new Date(update.createdAtMs), ...shape.build(update) });
    if (update.wire !== null) update.wire ??= new Map();
    update.wire?.set(shape.key, body);
  }
  // Protobuf messages can be concatenated, so one body serves every set of names.
  const bytes = Buffer.concat([encodeBare({ filters: [...filters] }), body]);
  update.wire?.set(messageKey, bytes);
  return bytes;
}

/** Encodes an update without filter names: a ping, a pong, or the body of another update. */
export function encodeBare(fields: Partial<SubscribeUpdate>): Uint8Array {
  return SubscribeUpdate.encode({ filters: [], createdAt: undefined, ...fields }).finish();
}
