import type { Commitment } from '../accounts.ts';
import type { StreamFaultSettings } from '../faults.ts';
import type { Block } from '../ledger.ts';
import { listenTo } from '../listen.ts';
import type { Network } from '../network.ts';
import type { SlotUpdate } from '../network-events.ts';
import { type Failure, NOTHING_TO_REPLAY, replayExpired } from './failures.ts';
import { type ContentUpdate, type FrozenBlock, lastWrites, ReplayRing, updatesOf } from './replay.ts';
import type { SlotStatusUpdate, Update } from './updates.ts';

const REPLAY_BLOCKS = 150;
/** About 300 MB of small accounts and transactions; reached only above 2,500 updates per block. */
const REPLAY_UPDATES = 400_000;

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

/** Called while the network processes a change: it must not throw. */
export type FeedListener = (commitment: Commitment, updates: readonly Update[]) => void;

/**
 * Converts network events to the updates of a Yellowstone server for each commitment, in the order
 * of a real server:
 *
 * 1. Accounts and transactions reach `processed` as they happen, in (slot, write version) order.
 * 2. When a block is complete, `processed` gets its entry, the block and its meta, then the status
 *    `processed`.
 * 3. When it is confirmed, `confirmed` gets its contents with only the last write of each account,
 *    the block and its meta, then the status; the same for `finalized`.
 * 4. Slot statuses go to the streams of every commitment. The status of a commitment follows the
 *    block's contents at that commitment.
 *
 * Replay and live updates are split at one point in time, so a stream that resumes has no gap and
 * no duplicate.
 */
export class Feed {
  #network: Network;
  #stopListening: () => void;
  #ring = new ReplayRing(REPLAY_BLOCKS, REPLAY_UPDATES);
  /** Contents of the slot in progress. */
  #current: ContentUpdate[] = [];
  #listeners = new Set<FeedListener>();

  #skipsLeft = 0;
  #skipped = new Set<number>();
  #duplicate = false;
  #reorder = false;
  /**
   * Contents of the slot in progress that `processed` gets in reversed order when the slot is
   * complete.
   */
  #held: ContentUpdate[] = [];

  constructor(network: Network) {
    this.#network = network;
    this.#stopListening = listenTo(network, {
      account: (write) => this.#addContent({ kind: 'account', write, ...updateFields(write.slot) }),
      transaction: (record) =>
        this.#addContent({ kind: 'transaction', record, ...updateFields(record.slot) }),
      block: (block) => this.#onBlock(block),
      slot: (update) => this.#onSlot(update),
    });
  }

  close(): void {
    this.#stopListening();
    this.#listeners.clear();
  }

  /** Calls `listener` with all later updates; returns a function that stops it. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The oldest slot that can be replayed; undefined before the first block. */
  get firstSlot(): number | undefined {
    return this.#ring.firstSlot;
  }

  /**
   * All updates from the slot on that have reached the commitment, for `processed` also those of
   * the slot in progress; live updates follow. A failure if the slot is too old, or no block from
   * it on has reached the commitment.
   */
  replay(fromSlot: string, commitment: Commitment): Iterable<Update> | Failure {
    const first = this.#ring.firstSlot;
    if (first !== undefined && BigInt(fromSlot) < BigInt(first)) return replayExpired(fromSlot, first);
    const blocks = this.#ring.from(Number(fromSlot), commitment);
    if (blocks.length === 0) return NOTHING_TO_REPLAY;
    const held = new Set(this.#held);
    const current = commitment === 'processed' ? this.#current.filter((update) => !held.has(update)) : [];
    // The statuses are copied, because later ones are also sent live.
    const copies = blocks.map((block) => ({ ...block, statuses: [...block.statuses] }));
    return this.#replayUpdates(copies, current);
  }

  /** Applies the faults that concern updates; omitted settings stay unchanged. */
  setFaults({ skipSlots, duplicate, reorder }: StreamFaultSettings): void {
    this.#duplicate = duplicate ?? this.#duplicate;
    this.#reorder = reorder ?? this.#reorder;
    if (skipSlots === undefined) return;
    this.#skipsLeft = skipSlots;
    this.#skipSlot(this.#network.slot('processed'));
  }

  *#replayUpdates(blocks: readonly FrozenBlock[], current: readonly Update[]): Generator<Update> {
    for (const block of blocks) yield* this.#duplicateUpdates(updatesOf(block));
    yield* this.#duplicateUpdates(current);
  }

  #addContent(update: ContentUpdate): void {
    this.#current.push(update);
    if (this.#reorder) this.#held.push(update);
    else this.#send('processed', [update]);
  }

  #onBlock(block: Block): void {
    const { slot } = block;
    this.#addContent({ kind: 'entry', block, ...updateFields(slot) });
    if (this.#held.length > 0) this.#send('processed', this.#held.reverse());
    const contents = lastWrites(this.#current);
    const accounts = contents.flatMap((update) => (update.kind === 'account' ? [update.write] : []));
    this.#ring.add({
      slot,
      contents,
      block: { kind: 'block', block, accounts, ...updateFields(slot) },
      meta: { kind: 'blockMeta', block, ...updateFields(slot) },
      statuses: [],
    });
    this.#current = [];
    this.#held = [];
  }

  #onSlot(update: SlotUpdate): void {
    const { slot, status } = update;
    const message: SlotStatusUpdate = { kind: 'slot', update, ...updateFields(slot) };
    if (status === 'firstShredReceived') this.#skipSlot(slot);
    if (status === 'processed' || status === 'confirmed' || status === 'finalized') {
      const block = this.#ring.get(slot);
      // A block from before the server started was not sent, so its status is not sent either.
      if (!block) return;
      this.#sendBlock(status, block);
      block.statuses.push(message);
      for (const commitment of COMMITMENTS) this.#send(commitment, [message]);
      if (status === 'finalized') {
        this.#ring.markFinalized(block);
        this.#skipped.delete(slot);
      }
      return;
    }
    for (const commitment of COMMITMENTS) this.#send(commitment, [message]);
  }

  #sendBlock(commitment: Commitment, { contents, block, meta }: FrozenBlock): void {
    // At `processed` the contents were sent as they happened.
    if (commitment !== 'processed') {
      if (this.#reorder && contents.length > 1) this.#network.faults.count('reorder');
      this.#send(commitment, this.#reorder ? [...contents].reverse() : contents);
    }
    this.#send(commitment, [block, meta]);
  }

  #skipSlot(slot: number): void {
    if (this.#skipsLeft === 0 || this.#skipped.has(slot)) return;
    this.#skipsLeft -= 1;
    this.#skipped.add(slot);
    this.#network.faults.count('skip');
  }

  #send(commitment: Commitment, updates: readonly Update[]): void {
    // All updates of one call belong to one slot.
    if (this.#listeners.size === 0 || this.#skipped.has(updates[0]?.slot ?? -1)) return;
    const messages = this.#duplicateUpdates(updates);
    for (const listener of this.#listeners) listener(commitment, messages);
  }

  #duplicateUpdates(updates: readonly Update[]): readonly Update[] {
    if (!this.#duplicate) return updates;
    const duplicated = updates.flatMap<Update>((update) =>
      update.kind === 'account' || update.kind === 'transaction' ? [update, update] : update,
    );
    if (duplicated.length > updates.length) {
      this.#network.faults.count('duplicate', duplicated.length - updates.length);
    }
    return duplicated;
  }
}

function updateFields(slot: number) {
  return { slot, createdAtMs: Date.now(), wire: undefined };
}
