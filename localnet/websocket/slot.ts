import type { Network, SlotUpdate } from '../network.ts';
import type { Topic, Watch } from './topic.ts';

/** slotSubscribe: told `{slot, parent, root}` when a slot begins; root is the newest finalized slot before that. */
export class SlotTopic implements Topic<null> {
  readonly name = 'slot';
  readonly arity = [0, 0] as const;
  #network: Network;
  #watches = new Set<Watch<null>>();

  constructor(network: Network) {
    this.#network = network;
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

  slotChanged({ slot, parent, status }: SlotUpdate): void {
    if (status !== 'createdBank') return;
    for (const watch of this.#watches) {
      watch.notify({ slot, parent, root: this.#network.slot('finalized') });
    }
  }
}
