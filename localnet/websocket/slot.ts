import type { Network } from '../network.ts';
import type { SlotUpdate } from '../network-events.ts';
import type { Topic, Watch } from './topic.ts';

/**
 * slotSubscribe: reports `{slot, parent, root}` when a slot begins; root is the newest finalized
 * slot before it.
 */
export function slotTopic(network: Network): SlotTopic {
  return new SlotTopic('slot', 'createdBank', ({ slot, parent }) => ({
    slot,
    parent,
    root: network.slot('finalized'),
  }));
}

/** rootSubscribe: reports the number of every finalized slot, in order. */
export function rootTopic(): SlotTopic {
  return new SlotTopic('root', 'finalized', ({ slot }) => slot);
}

/** Reports every slot that reaches a status. */
class SlotTopic implements Topic<null> {
  readonly name: string;
  readonly arity = [0, 0] as const;
  readonly #status: SlotUpdate['status'];
  readonly #resultOf: (update: SlotUpdate) => unknown;
  #watches = new Set<Watch<null>>();

  constructor(name: string, status: SlotUpdate['status'], resultOf: (update: SlotUpdate) => unknown) {
    this.name = name;
    this.#status = status;
    this.#resultOf = resultOf;
  }

  parse(): null {
    return null;
  }

  add(watch: Watch<null>): void {
    this.#watches.add(watch);
  }

  remove(watch: Watch<null>): void {
    this.#watches.delete(watch);
  }

  slotChanged(update: SlotUpdate): void {
    if (update.status !== this.#status) return;
    for (const watch of this.#watches) watch.notify(this.#resultOf(update));
  }
}
