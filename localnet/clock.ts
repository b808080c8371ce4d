/** The chain's time: the machine's, moved forward by travels or paused. */
export class NetworkClock {
  #offsetMs: number;
  #pausedAtMs: number | null = null;

  constructor(startMs: number) {
    this.#offsetMs = startMs - Date.now();
  }

  nowMs(): number {
    return this.#pausedAtMs ?? Date.now() + this.#offsetMs;
  }

  get paused(): boolean {
    return this.#pausedAtMs !== null;
  }

  pause(): void {
    this.#pausedAtMs ??= this.nowMs();
  }

  resume(): void {
    if (this.#pausedAtMs === null) return;
    this.#offsetMs = this.#pausedAtMs - Date.now();
    this.#pausedAtMs = null;
  }

  advance(byMs: number): void {
    if (this.#pausedAtMs === null) this.#offsetMs += byMs;
    else this.#pausedAtMs += byMs;
  }
}
