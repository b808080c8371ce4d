/** Maximum bytes that wait for one stream, whatever the number of updates. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;

/**
 * The messages that a stream has not sent yet, in order. Live messages are counted, because too
 * many mean that the reader is too slow. A replay is produced at the reader's speed and is not
 * counted.
 */
export class OutgoingQueue {
  #write: (bytes: Uint8Array) => boolean;
  #maxUpdates: number;
  #writable = true;
  #items: (Uint8Array | Iterator<Uint8Array>)[] = [];
  #head = 0;
  #bufferedUpdates = 0;
  #bufferedBytes = 0;

  /** `write` returns false to pause until `resume` is called. */
  constructor(write: (bytes: Uint8Array) => boolean, maxUpdates: number) {
    this.#write = write;
    this.#maxUpdates = maxUpdates;
  }

  /** Sends or queues the message. Returns false if it exceeds a limit and was dropped. */
  push(bytes: Uint8Array): boolean {
    if (this.#writable && this.#head === this.#items.length) {
      this.#writable = this.#write(bytes);
      return true;
    }
    if (this.#bufferedUpdates >= this.#maxUpdates) return false;
    if (this.#bufferedBytes + bytes.length > MAX_BUFFERED_BYTES) return false;
    this.#bufferedUpdates += 1;
    this.#bufferedBytes += bytes.length;
    this.#items.push(bytes);
    return true;
  }

  pushLazily(messages: Iterable<Uint8Array>): void {
    this.#items.push(messages[Symbol.iterator]());
    if (this.#writable) this.resume();
  }

  /** Sends waiting messages. */
  resume(): void {
    this.#writable = true;
    while (this.#writable) {
      const bytes = this.#take();
      if (!bytes) return;
      this.#writable = this.#write(bytes);
    }
  }

  /** Drops all messages and writes no more. */
  clear(): void {
    this.#items = [];
    this.#head = 0;
    this.#writable = false;
  }

  #take(): Uint8Array | undefined {
    while (this.#head < this.#items.length) {
      const item = this.#items[this.#head] as Uint8Array | Iterator<Uint8Array>;
      if (item instanceof Uint8Array) {
        this.#shift();
        this.#bufferedUpdates -= 1;
        this.#bufferedBytes -= item.length;
        return item;
      }
      const next = item.next();
      if (!next.done) return next.value;
      this.#shift();
    }
    return undefined;
  }

  // Removing items from the front of a long array one by one is slow, so the front is cut off
  // occasionally.
  #shift(): void {
    this.#head += 1;
    if (this.#head < 1024 || this.#head * 2 < this.#items.length) {
      if (this.#head < this.#items.length) return;
    }
    this.#items.splice(0, this.#head);
    this.#head = 0;
  }
}
