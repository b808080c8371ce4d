/** The names of the figures in the last line of a run. */
export type Figure = 'recovery_s' | 'leader_s';

/** Counts by name, and measured seconds. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #measured: Record<Figure, number | null> = { recovery_s: null, leader_s: null };

  add(name: string, count = 1): void {
    this.#counts.set(name, this.of(name) + count);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Keeps the longest of several. */
  measure(figure: Figure, seconds: number): void {
    this.#measured[figure] = Math.max(this.#measured[figure] ?? 0, Math.round(seconds * 10) / 10);
  }

  /** The longest of each figure; null if it was not measured. */
  get measured(): Readonly<Record<Figure, number | null>> {
    return this.#measured;
  }
}
