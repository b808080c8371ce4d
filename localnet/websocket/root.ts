import type { SlotUpdate } from '../network.ts';
import type { Topic, Watch } from './topic.ts';

/** rootSubscribe: told the number of every slot that becomes final, in order. */
export class RootTopic implements Topic<null> {
  readonly name = 'root';
  readonly arity = [0, 0] as const;
  #watches = new Set<Watch<null>>();

  parse(): null {
    return null;
  }

  add(watch: Watch<null>): void {
    this.#watches.add(watch);
  }

  remove(watch: Watch<null>): void {
    this.#watches.delete(watch);
  }

  slotChanged({ slot, status }: SlotUpdate): void {
    if (status !== 'finalized') return;
    for (const watch of this.#watches) watch.notify(slot);
  }
}
