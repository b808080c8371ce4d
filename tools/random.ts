import fc from 'fast-check';

const LARGEST = 2 ** 31 - 1;

/** Pseudo-random choices. The same seed gives the same choices in the same order. */
export class Random {
  readonly #numbers: Iterator<number>;

  constructor(seed: number) {
    const numbers = fc.noBias(fc.infiniteStream(fc.nat({ max: LARGEST })));
    const [stream] = fc.sample(numbers, { seed, numRuns: 1 });
    if (!stream) throw new Error('fast-check generated no numbers');
    this.#numbers = stream[Symbol.iterator]();
  }

  /** An integer from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor((Number(this.#numbers.next().value) / (LARGEST + 1)) * end);
  }

  /** An integer from `first` to `last`, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const remaining = [...items];
    return items.map(() => remaining.splice(this.below(remaining.length), 1)[0] as T);
  }

  /** 32 bytes, the secret key of a wallet. */
  bytes(): Uint8Array {
    return Uint8Array.from({ length: 32 }, () => this.below(256));
  }
}
